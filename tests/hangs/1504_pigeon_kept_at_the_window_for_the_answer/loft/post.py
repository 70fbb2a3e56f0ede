import asyncio


class Loft:
    """Letters go through lists in Redis."""

    def __init__(self, client):
        self.client = client
        self.read = []

    async def fetch(self):
        while True:
            found = await self.client.blpop(["letters"], 0)
            self.read = [*self.read, found[1]][-20:]

    async def write(self):
        number = 0
        while True:
            await self.client.rpush("letters", ["letter %d" % number])
            number += 1
            await asyncio.sleep(0.05)


class Weathercock:
    def __init__(self):
        self.points = "NESW"

    async def turn(self):
        while True:
            self.points = self.points[1:] + self.points[0]
            await asyncio.sleep(0.2)
