import asyncio
import os
import threading
import time

import uvloop


class Kiln:
    def __init__(self, loop):
        self.loop = loop
        self.fired = asyncio.Event()
        self.orders = 0

    def fire(self):
        seen = 0
        while True:
            while self.orders == seen:
                time.sleep(0.01)
            seen = self.orders
            time.sleep(0.1)
            if CALL:
                self.loop.call_soon_threadsafe(self.fired.set)
            else:
                self.fired.set()

    async def burn(self, pot):
        self.fired.clear()
        self.orders += 1
        await self.fired.wait()
        return pot + 1


async def main():
    kiln = Kiln(asyncio.get_running_loop())
    threading.Thread(target=kiln.fire, name="stoker", daemon=True).start()
    pot = 0
    while True:
        pot = await kiln.burn(pot)


CALL = False


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    uvloop.run(main())
