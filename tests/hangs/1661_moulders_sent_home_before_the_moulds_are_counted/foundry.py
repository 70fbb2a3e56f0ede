import asyncio
import itertools


class Foundry:
    """Casts by urgency; `close` casts what is left before it returns."""

    def __init__(self, moulds, drain_first):
        self.queue = asyncio.PriorityQueue()
        self.order = itertools.count()
        self.drain_first = drain_first
        self.cast = 0
        self.moulders = [
            asyncio.create_task(self.mould(), name="mould-%d" % n) for n in range(moulds)
        ]

    async def mould(self):
        while True:
            _urgency, _number, bell, done = await self.queue.get()
            try:
                await asyncio.sleep(bell)
                self.cast += 1
                if not done.done():
                    done.set_result(self.cast)
            finally:
                self.queue.task_done()

    def submit(self, urgency, bell):
        done = asyncio.get_running_loop().create_future()
        self.queue.put_nowait((urgency, next(self.order), bell, done))
        return done

    async def close(self):
        if self.drain_first:
            await self.queue.join()
        for moulder in self.moulders:
            moulder.cancel()
        await asyncio.gather(*self.moulders, return_exceptions=True)
        await self.queue.join()


class Season:
    def __init__(self, foundry_of):
        self.foundry_of = foundry_of
        self.years = 0

    async def year(self):
        foundry = self.foundry_of()
        wanted = [foundry.submit(n % 3, 0.03) for n in range(12)]
        await asyncio.wait(wanted, return_when=asyncio.FIRST_COMPLETED)
        await foundry.close()
        self.years += 1

    async def run(self):
        while True:
            await self.year()


async def keep_fire():
    logs = 0
    while True:
        await asyncio.sleep(0.3)
        logs += 1
