import asyncio
import os
import signal

from aio_pika.pool import Pool

signal.alarm(120)


class Channel:
    def __init__(self):
        self.letters = asyncio.Queue()

    async def close(self):
        pass


async def open_channel():
    await asyncio.sleep(0.01)
    return Channel()


async def consume(channels, wanted):
    for _ in range(wanted):
        async with channels.acquire() as channel:
            await asyncio.sleep(0.02)
            if not channel.letters.empty():
                channel.letters.get_nowait()


async def publish(channels, letters):
    for letter in letters:
        async with channels.acquire() as channel:
            channel.letters.put_nowait(letter)


async def run_post_office(letters):
    async with Pool(open_channel, max_size=1) as channels:
        await asyncio.gather(consume(channels, len(letters)), publish(channels, letters))


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        asyncio.run(run_post_office(["to ann", "to bob"]))
