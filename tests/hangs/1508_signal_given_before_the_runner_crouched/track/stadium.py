import asyncio

from track.course import Runner


class Stadium:
    def __init__(self, names):
        self.names = names
        self.maps = {}
        self.announced = 0

    async def announce(self):
        while True:
            self.announced += 1
            await asyncio.sleep(0.2)

    async def race(self, number):
        runner = Runner(self.maps)
        while True:
            for name in self.names[number:] + self.names[:number]:
                await runner.run(name)

    async def open(self):
        async with asyncio.TaskGroup() as group:
            group.create_task(self.announce(), name="announcer")
            for number in range(2):
                group.create_task(self.race(number), name="lane-%d" % number)
