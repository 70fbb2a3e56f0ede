import asyncio
from dataclasses import dataclass, field


@dataclass
class Loaf:
    dough: str
    ready: asyncio.Future = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class Oven:
    """Collects loaves and bakes what has come every so often."""

    def __init__(self, bake, every=0.2):
        self.bake = bake
        self.every = every
        self.shelf = []
        self.door = asyncio.Lock()
        self.clock = asyncio.create_task(self.run(), name="oven-clock")
        self.baked = 0

    async def run(self):
        while True:
            await asyncio.sleep(self.every)
            await self.flush()

    async def flush(self):
        async with self.door:
            loaves, self.shelf = self.shelf, []
            if not loaves:
                return
            try:
                crusts = await self.bake([loaf.dough for loaf in loaves])
            except ValueError as error:
                for loaf in loaves:
                    loaf.ready.set_exception(error)
                return
            for loaf, crust in zip(loaves, crusts, strict=True):
                loaf.ready.set_result(crust)
            self.baked += len(loaves)

    async def submit(self, dough):
        loaf = Loaf(dough)
        self.shelf.append(loaf)
        return await loaf.ready

    async def close(self, gently):
        if not gently:
            self.clock.cancel()
            await asyncio.gather(self.clock, return_exceptions=True)
        await self.flush()
