import asyncio
import os
import threading

from aioconsole import ainput


class Belt(threading.Thread):
    def __init__(self, end):
        super().__init__(name="belt", daemon=True)
        self.end = end
        self.loaded = threading.Semaphore(0)
        self.counted = 0

    def run(self):
        while True:
            self.loaded.acquire()
            self.counted += 1
            os.write(self.end, b"%d\n" % self.counted)


class Desk:
    def __init__(self, belt, early):
        self.belt = belt
        self.early = early
        self.pass_book = asyncio.Lock()
        self.entries = []

    async def clerk(self):
        while True:
            async with self.pass_book:
                count = await ainput()
                self.entries.append(int(count))
                del self.entries[:-20]
            await asyncio.sleep(0.1)

    async def porter(self):
        while True:
            await asyncio.sleep(0.2)
            if self.early:
                self.belt.loaded.release()
            async with self.pass_book:
                if not self.early:
                    self.belt.loaded.release()
