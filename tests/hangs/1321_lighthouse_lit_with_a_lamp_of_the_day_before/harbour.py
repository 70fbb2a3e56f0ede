import trio


class Lighthouse:
    def __init__(self):
        self.lit = trio.Event()
        self.nights = 0

    def light(self):
        self.nights += 1
        self.lit.set()

    def put_out(self):
        self.lit = trio.Event()


class Keeper:
    def __init__(self, lighthouse, careful):
        self.lighthouse = lighthouse
        self.careful = careful

    async def night(self):
        await trio.sleep(0.05)
        self.lighthouse.light()
        await trio.sleep(0.05)
        self.lighthouse.put_out()

    async def check_lens(self):
        await trio.sleep(0.02)
        if not self.careful:
            self.lighthouse.put_out()

    async def keep(self, ships):
        while True:
            await self.night()
            await ships.send(self.lighthouse.nights)
            if self.lighthouse.nights % 10 == 0:
                await self.check_lens()


class Ship:
    def __init__(self, lighthouse):
        self.lighthouse = lighthouse
        self.voyages = 0

    async def wait_for_light(self):
        await self.lighthouse.lit.wait()

    async def sail(self, ships):
        while True:
            await self.wait_for_light()
            self.voyages = await ships.receive()


async def weather(reports):
    while True:
        reports.append(len(reports))
        del reports[:-24]
        await trio.sleep(0.9)
