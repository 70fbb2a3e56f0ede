import asyncio
import os


class Inn:
    def __init__(self):
        self.tables = asyncio.Queue()
        self.waiters = []
        self.served = []

    def open(self):
        for name in ("anna", "bert"):
            self.waiters.append(asyncio.create_task(self.serve(), name=name))

    async def serve(self):
        while True:
            table = await self.tables.get()
            await asyncio.sleep(0.005)
            self.served.append(table)
            self.tables.task_done()

    async def send_home(self):
        for waiter in self.waiters:
            waiter.cancel()
        await asyncio.gather(*self.waiters, return_exceptions=True)
        self.waiters.clear()

    async def close(self):
        for step in STEPS:
            await step(self)

    async def count(self):
        await self.tables.join()
        return len(self.served)


async def run_inn():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        inn = Inn()
        inn.open()
        for number in range(6):
            inn.tables.put_nowait(number)
        await asyncio.sleep(0.012)
        await inn.close()


STEPS = [Inn.send_home, Inn.count]


if __name__ == "__main__":
    asyncio.run(run_inn())
