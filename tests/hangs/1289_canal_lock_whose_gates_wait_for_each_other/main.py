import asyncio
import os


class Lock:
    """Of a canal."""

    def __init__(self):
        self.upper = asyncio.Event()
        self.lower = asyncio.Event()

    async def lift(self):
        await self.upper.wait()
        self.lower.set()

    async def drain(self):
        await self.lower.wait()
        self.upper.set()


async def lamp(log):
    while True:
        await asyncio.sleep(0.4)
        log["blinks"] = log.get("blinks", 0) + 1


async def keeper(canal, signal):
    if signal:
        canal.upper.set()
    await asyncio.gather(canal.lift(), canal.drain())


async def main(signal):
    canal, log = Lock(), {}
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await asyncio.gather(lamp(log), keeper(canal, signal))


asyncio.run(main(None))
