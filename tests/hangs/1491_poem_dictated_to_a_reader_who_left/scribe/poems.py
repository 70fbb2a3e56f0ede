import asyncio


class Poet:
    def __init__(self, lines):
        self.lines = lines
        self.begun = 0

    async def compose(self, title):
        self.begun += 1
        for number in range(self.lines):
            await asyncio.sleep(0.002)
            yield "%s, line %d" % (title, number)

    async def count(self):
        await asyncio.sleep(0.001)
        return self.begun
