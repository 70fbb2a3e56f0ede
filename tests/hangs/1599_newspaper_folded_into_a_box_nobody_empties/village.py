import asyncio
import os

from news import NewsRoom


class Reader:
    def __init__(self, name, room, until=None):
        self.name = name
        self.room = room
        self.until = until
        self.read = 0

    async def sit(self, polite):
        subscription = self.room.subscribe(self.name)
        try:
            async for _paper in subscription.papers():
                self.read += 1
                if self.until and self.read >= self.until:
                    break
        finally:
            if polite:
                self.room.cancel(subscription)


class Village:
    def __init__(self):
        self.room = NewsRoom()
        self.readers = [
            Reader("priest", self.room),
            Reader("smith", self.room, until=5),
            Reader("teacher", self.room),
        ]

    async def fountain(self):
        while True:
            await asyncio.sleep(0.5)

    async def wake(self, polite):
        tasks = [asyncio.ensure_future(reader.sit(polite)) for reader in self.readers]
        tasks.append(asyncio.ensure_future(self.room.print_papers()))
        tasks.append(asyncio.ensure_future(self.fountain()))
        print("MARK main pid=%d" % os.getpid(), flush=True)
        await asyncio.gather(*tasks)


def run(polite):
    asyncio.run(Village().wake(polite))
