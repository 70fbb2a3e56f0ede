import asyncio

from workshop.people import Person


class Foreman(Person):
    def __init__(self, politely):
        super().__init__("foreman")
        self.politely = politely
        self.painter = None
        self.changes = 0

    async def on_colour(self, wall):
        await asyncio.sleep(0.01)
        return ["ochre", "umber", "sienna"][wall % 3]

    async def on_relieve(self, _):
        if self.politely:
            await self.painter.leave()
        else:
            await self.painter.dismiss()
        self.painter = Painter(self)
        self.painter.begin()
        self.changes += 1


class Painter(Person):
    def __init__(self, foreman):
        super().__init__("painter")
        self.foreman = foreman
        self.painted = []

    def begin(self):
        super().begin()
        self.tell("wall", len(self.painted))

    async def on_wall(self, wall):
        await asyncio.sleep(0.02)
        colour = await self.foreman.ask("colour", wall)
        self.painted.append((wall, colour))
        self.tell("wall", wall + 1)


async def call_shifts(foreman):
    while True:
        await asyncio.sleep(0.3)
        foreman.tell("relieve")


async def heat_glue(pot):
    while True:
        pot["degrees"] = min(pot.get("degrees", 20) + 1, 90)
        await asyncio.sleep(0.2)
