import os
import signal

import trio

signal.alarm(120)


class Hotel:
    def __init__(self):
        self.bell = trio.Event()
        self.goodbye = trio.Event()

    async def open_door(self):
        await self.bell.wait()
        self.goodbye.set()

    async def stay(self, name):
        try:
            await trio.sleep_forever()
        finally:
            with trio.CancelScope(shield=True):
                self.bell.set()
                await self.goodbye.wait()

    async def spend_night(self, name):
        with trio.move_on_after(0.5):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self.open_door)
                nursery.start_soon(self.stay, name)


async def run_hotel():
    await Hotel().spend_night("ann")


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    trio.run(run_hotel)
