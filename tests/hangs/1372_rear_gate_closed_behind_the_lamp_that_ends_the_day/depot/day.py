import asyncio
import contextlib
import os

from depot.parts import Feed, Ledger


async def clock(strokes):
    while True:
        strokes.append(len(strokes))
        del strokes[:-30]
        await asyncio.sleep(0.25)


class Day:
    def __init__(self, names, delay):
        self.names = names
        self.delay = delay
        self.ledgers = []

    async def work(self, hours):
        async with contextlib.AsyncExitStack() as stack:
            for name in self.names:
                feed = await stack.enter_async_context(Feed(name))
                ledger = await stack.enter_async_context(Ledger(feed, self.delay))
                self.ledgers.append(ledger)
            await asyncio.sleep(hours)
            print("MARK main pid=%d" % os.getpid(), flush=True)
        return sum(len(ledger.lines) for ledger in self.ledgers)


async def main(names, hours, delay, stop_first):
    tower = asyncio.create_task(clock([]), name="clock")
    day = Day(names, delay)
    if stop_first:
        asyncio.get_running_loop().call_later(
            hours + 60, lambda: [one.feed.out.put_nowait(None) for one in day.ledgers]
        )
    print(await day.work(hours))
    tower.cancel()
