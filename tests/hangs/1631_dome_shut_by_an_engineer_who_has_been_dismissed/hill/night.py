import trio


class Sky:
    def __init__(self):
        self.minute = 0

    async def turn(self):
        while True:
            self.minute += 1
            await trio.sleep(0.1)

    def star(self):
        return 20 + self.minute % 20

    async def clouds(self):
        await trio.sleep(1)


class Night:
    def __init__(self, sky, dome, engine):
        self.sky = sky
        self.dome = dome
        self.engine = engine
        self.nights = 0

    async def observe(self):
        async with trio.open_nursery() as crew:
            crew.start_soon(self.engine.run)
            crew.start_soon(self.dome.follow)
            await self.sky.clouds()
            crew.cancel_scope.cancel()
        self.nights += 1
