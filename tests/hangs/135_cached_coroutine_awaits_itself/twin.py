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
    await asyncio.sleep(0.05)
    return {"title": title, "leader": "pear"}


async def show_profile():
    while True:
        await load_user("pear")
        load_user.cache_clear()
        load_team.cache_clear()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    asyncio.run(show_profile())
