import trio


class Part:
    """Something of the evening that runs until it is over."""

    def __init__(self, name):
        self.name = name
        self.ready = trio.Event()
        self.needs = []
        self.steps = 0

    async def run(self, task_status=trio.TASK_STATUS_IGNORED):
        await self.prepare()
        self.ready.set()
        task_status.started(self.name)
        while True:
            await self.step()

    async def prepare(self):
        for part in self.needs:
            await part.ready.wait()

    async def step(self):
        self.steps += 1
        await trio.sleep(0.05)


class Band(Part):
    async def step(self):
        self.steps += 2
        await trio.sleep(0.03)


class Dancers(Part):
    pass


class Lights(Part):
    pass
