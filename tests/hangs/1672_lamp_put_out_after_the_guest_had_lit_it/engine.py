import asyncio
import itertools


class Request:
    def __init__(self, number, length):
        self.number = number
        self.length = length
        self.tokens = asyncio.Queue()


class Engine:
    """Steps over the running requests; sleeps while there are none."""

    def __init__(self, clear_first):
        self.clear_first = clear_first
        self.running = []
        self.work = asyncio.Event()
        self.steps = 0
        self.flushed = 0

    def add(self, request):
        self.running.append(request)
        self.work.set()

    async def step(self):
        await asyncio.sleep(0.002)
        self.steps += 1
        for request in list(self.running):
            request.length -= 1
            request.tokens.put_nowait(request.length)
            if request.length == 0:
                request.tokens.put_nowait(None)
                self.running.remove(request)

    async def flush(self):
        """Writes the counters down."""
        await asyncio.sleep(0.03)
        self.flushed += 1

    async def rest(self):
        if self.clear_first:
            self.work.clear()
            await self.flush()
        else:
            await self.flush()
            self.work.clear()
        await self.work.wait()

    async def loop(self):
        while True:
            while self.running:
                await self.step()
            await self.rest()


class Front:
    def __init__(self, engine):
        self.engine = engine
        self.numbers = itertools.count(1)
        self.told = 0

    async def generate(self, length):
        request = Request(next(self.numbers), length)
        self.engine.add(request)
        while (token := await request.tokens.get()) is not None:
            yield token

    async def chat(self, pause):
        while True:
            async for _token in self.generate(8):
                self.told += 1
            await asyncio.sleep(pause)

    async def gauge(self):
        readings = []
        while True:
            await asyncio.sleep(0.5)
            readings.append(self.told)
            del readings[:-10]


async def serve(clear_first):
    engine = Engine(clear_first)
    front = Front(engine)
    async with asyncio.TaskGroup() as group:
        group.create_task(engine.loop(), name="engine")
        group.create_task(front.gauge(), name="gauge")
        for number, pause in enumerate((0.011, 0.017)):
            group.create_task(front.chat(pause), name="chat-%d" % number)
