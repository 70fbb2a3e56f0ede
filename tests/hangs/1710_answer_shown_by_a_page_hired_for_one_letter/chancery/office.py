import asyncio

from pyventus.events import AsyncIOEventEmitter, EventLinker


class Chancery:
    def __init__(self, single):
        self.emitter = AsyncIOEventEmitter()
        self.answered = asyncio.Event()
        self.letters = asyncio.Queue()
        self.seals = 0
        EventLinker.subscribe("answer", event_callback=self.show, once=single)

    async def show(self, text):
        self.seals += 1
        self.answered.set()

    async def scribe(self):
        while True:
            letter = await self.letters.get()
            await asyncio.sleep(0.05)
            self.emitter.emit("answer", "as to " + letter)

    async def ask(self, letter):
        self.answered.clear()
        self.letters.put_nowait(letter)
        await self.answered.wait()
        return self.seals
