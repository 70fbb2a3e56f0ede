import asyncio
import os
import signal

from dive import Diver, open_boat

signal.alarm(120)


class MeasuringDiver(Diver):
    async def reports(self):
        yield b"going down\n"
        await asyncio.sleep(0.3)
        yield b"at %d\n" % 30


async def main():
    port = await open_boat()
    while True:
        await MeasuringDiver(port).dive()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
