import asyncio


class Office:
    def __init__(self, register, copy):
        self.register = register
        self.copy = copy
        self.bells = 0
        self.copied = 0

    async def sexton(self):
        while True:
            self.bells += 1
            await asyncio.sleep(0.3)

    async def pastor(self):
        number = 0
        while True:
            await self.register.baptise("child %d" % (number % 40))
            number += 1

    async def archivist(self):
        while True:
            self.copied = await self.copy()
            await asyncio.sleep(0.02)

    async def week(self):
        async with asyncio.TaskGroup() as group:
            for work in [self.sexton, self.pastor, self.archivist]:
                group.create_task(work(), name=work.__name__)
