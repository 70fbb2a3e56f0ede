import trio


class Engine:
    """Moves the slit of the dome, one order at a time."""

    def __init__(self):
        self.orders, self.tray = trio.open_memory_channel(10)
        self.angle = 0

    async def run(self):
        async for angle, done in self.tray:
            while self.angle != angle:
                self.angle += 1 if angle > self.angle else -1
                await trio.sleep(0.002)
            done.set()

    async def turn_to(self, angle):
        done = trio.Event()
        await self.orders.send((angle, done))
        await done.wait()


class Dome:
    def __init__(self, engine, sky, waits_for_engine):
        self.engine = engine
        self.sky = sky
        self.waits_for_engine = waits_for_engine
        self.exposures = 0

    async def shut(self):
        if self.waits_for_engine:
            await self.engine.turn_to(0)

    async def follow(self):
        try:
            while True:
                await self.engine.turn_to(self.sky.star())
                self.exposures += 1
                await trio.sleep(0.05)
        finally:
            with trio.CancelScope(shield=True):
                await self.shut()
