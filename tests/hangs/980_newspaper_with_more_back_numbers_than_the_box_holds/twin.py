import asyncio
import os

from litestar.channels import ChannelsPlugin
from litestar.channels.backends.memory import MemoryChannelsBackend

BACK_NUMBERS = 8


class Press:
    def __init__(self):
        self.channels = ChannelsPlugin(
            backend=MemoryChannelsBackend(history=50),
            arbitrary_channels_allowed=True,
            subscriber_max_backlog=10,
            subscriber_backlog_strategy="backoff",
        )

    async def print_numbers(self, count):
        for number in range(count):
            await self.channels.wait_published("number %d" % number, "herald")


class Reader:
    def __init__(self, press):
        self.press = press
        self.read = []

    async def read_up(self):
        subscriber = await self.press.channels.subscribe("herald", history=BACK_NUMBERS)
        async for number in subscriber.iter_events():
            self.read.append(number)
            if len(self.read) % BACK_NUMBERS == 0:
                break
        await self.press.channels.unsubscribe(subscriber)


async def tick():
    while True:
        await asyncio.sleep(0.5)


async def run_press():
    press = Press()
    async with press.channels:
        await press.print_numbers(30)
        clock = asyncio.create_task(tick())
        print("MARK main pid=%d" % os.getpid(), flush=True)
        reader = Reader(press)
        while not clock.done():
            await reader.read_up()
            await asyncio.sleep(0.01)


if __name__ == "__main__":
    asyncio.run(run_press())
