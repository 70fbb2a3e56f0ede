import asyncio


class Ferryman:
    """Takes passengers until he is told to stop."""

    def __init__(self, name, patience):
        self.name = name
        self.patience = patience
        self.waiting = asyncio.Queue()
        self.carried = 0

    async def next_passenger(self):
        return await asyncio.wait_for(self.waiting.get(), self.patience)

    async def row(self):
        while True:
            passenger = await self.next_passenger()
            await asyncio.sleep(0)
            self.carried += 1
            passenger.set_result(self.name)


class Landing:
    def __init__(self, patience):
        self.patience = patience
        self.days = 0

    async def dismiss(self, man, task):
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    async def day(self):
        loop = asyncio.get_running_loop()
        man = Ferryman("ferry-%d" % self.days, self.patience)
        task = asyncio.create_task(man.row(), name=man.name)
        for _ in range(3):
            passenger = loop.create_future()
            man.waiting.put_nowait(passenger)
            await passenger
        last = loop.create_future()
        await asyncio.sleep(0.01)
        man.waiting.put_nowait(last)
        if self.patience is not None:
            await asyncio.sleep(0)
        await self.dismiss(man, task)
        self.days += 1

    async def season(self):
        while True:
            await self.day()


async def tide():
    height = 0
    while True:
        await asyncio.sleep(0.5)
        height = (height + 1) % 12
