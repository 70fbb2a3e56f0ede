import trio


class Heater:
    def __init__(self):
        self.degrees = 14
        self.warm = trio.Event()

    async def keep_warm(self):
        while True:
            await trio.sleep(60)
            self.degrees += 1
            if self.degrees >= 20:
                self.warm.set()

    async def wait_until_warm(self):
        await self.warm.wait()
