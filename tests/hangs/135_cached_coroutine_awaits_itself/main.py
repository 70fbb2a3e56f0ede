import asyncio
import os
import signal

from async_lru import alru_cache

signal.alarm(120)


@alru_cache
async def load_user(name):
    team = await load_team("fruit")
    return {"name": name, "team": team["title"]}


@alru_cache
async def load_team(title):
    leader = await load_user("pear")
    return {"title": title, "leader": leader["name"]}


async def show_profile():
    print(await load_user("pear"))


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    asyncio.run(show_profile())
