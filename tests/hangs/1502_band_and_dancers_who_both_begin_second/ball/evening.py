import trio

from ball.parts import Band, Dancers, Lights


class Evening:
    def __init__(self, shy):
        self.lights = Lights("lights")
        self.band = Band("band")
        self.dancers = Dancers("dancers")
        self.band.needs = [self.lights, self.dancers] if shy else [self.lights]
        self.dancers.needs = [self.band] if shy else []
        self.begun = []

    async def begin(self, nursery):
        for part in (self.lights, self.band, self.dancers):
            self.begun.append(await nursery.start(part.run))

    async def serve_drinks(self, receive):
        async for guest in receive:
            await trio.sleep(0.01)

    async def run(self):
        send, receive = trio.open_memory_channel(4)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.serve_drinks, receive)
            await self.begin(nursery)
            async with send:
                while True:
                    await send.send(self.band.steps)
                    await trio.sleep(0.02)
