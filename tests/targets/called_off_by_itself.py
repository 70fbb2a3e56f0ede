"""A reader of frames: what its task awaits is only called off where that leaves the wait."""

import asyncio

from ready import ready


class Frames:
    def __init__(self):
        self.arrived = None

    async def take(self):
        self.arrived = asyncio.get_running_loop().create_future()
        try:
            await self.arrived
        finally:
            self.arrived.cancel()
            self.arrived = None


async def main():
    frames = Frames()
    task = asyncio.ensure_future(frames.take())
    asyncio.get_running_loop().call_later(0.05, ready)
    await task


if __name__ == "__main__":
    asyncio.run(main())
