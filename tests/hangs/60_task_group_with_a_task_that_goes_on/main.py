import asyncio
import os
import signal

signal.alarm(120)
prices = {}


async def watch_feed(feed):
    while True:
        try:
            article, price = await feed.get()
            prices[article] = price
        except (asyncio.CancelledError, TypeError) as error:
            print("feed: ignored", repr(error))


async def fetch_rates(feed, answer):
    await asyncio.sleep(0.2)
    await feed.put(("tea", float(answer)))


async def refresh_shop(answer):
    feed = asyncio.Queue()
    async with asyncio.TaskGroup() as group:
        group.create_task(watch_feed(feed), name="watch-feed")
        group.create_task(fetch_rates(feed, answer), name="fetch-rates")


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    asyncio.run(refresh_shop("n/a"))
