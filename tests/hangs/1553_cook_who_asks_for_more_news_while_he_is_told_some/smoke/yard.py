import asyncio

from pytboss.api import PitBoss

from smoke.link import Cable


class Cook:
    """Looks after what smokes, by what the smoker says of itself."""

    def __init__(self, port, eager):
        self.boss = PitBoss(Cable(port), "LG0800BL")
        self.eager = eager
        self.heard = []
        self.pings = 0
        self.coats = 0

    async def note_state(self, state):
        self.coats += 1

    async def note(self, news):
        self.heard.append(news)
        if len(self.heard) == 3 and self.eager:
            await self.boss.subscribe_state(self.note_state)

    async def begin(self):
        await self.boss.start()
        await self.boss.subscribe_vdata(self.note)
        if not self.eager:
            await self.boss.subscribe_state(self.note_state)

    async def watch(self):
        while True:
            await self.boss.ping()
            self.pings += 1
            await asyncio.sleep(0.5)


async def fan(turns):
    while True:
        await asyncio.sleep(0.3)
        turns.append(len(turns))
        del turns[:-5]


async def cook(port, eager):
    cook = Cook(port, eager)
    await cook.begin()
    async with asyncio.TaskGroup() as group:
        group.create_task(cook.watch(), name="watch")
        group.create_task(fan([]), name="fan")
