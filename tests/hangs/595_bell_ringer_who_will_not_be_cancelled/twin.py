import asyncio
import os
import signal

signal.alarm(120)


class Tower:
    def __init__(self):
        self.struck = asyncio.Event()
        self.rung = 0
        self.errors = []

    async def ring_hours(self):
        while True:
            try:
                await self.struck.wait()
                self.struck.clear()
                self.rung += 1
            except ValueError as error:
                self.errors.append(error)


async def keep_time(tower, hours):
    for _ in range(hours):
        await asyncio.sleep(0.05)
        tower.struck.set()


async def open_tower():
    tower = Tower()
    ringer = asyncio.create_task(tower.ring_hours())
    await keep_time(tower, 3)
    return tower.rung, ringer.done()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        asyncio.run(open_tower())
