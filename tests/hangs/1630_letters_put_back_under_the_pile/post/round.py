import asyncio


class Clerk:
    def __init__(self, box, number):
        self.box = box
        self.number = number
        self.stamped = 0

    async def work(self):
        while True:
            self.stamped += 1
            await self.box.post(self.stamped % 3, self.number * 5 + self.stamped)
            await asyncio.sleep(0.02)


class Carrier:
    def __init__(self, box, hours, puts_back):
        self.box = box
        self.hours = hours
        self.puts_back = puts_back
        self.delivered = 0
        self.left = 0

    async def bring(self, door):
        await asyncio.sleep(0.02)
        return self.hours.open(door)

    async def work(self):
        while True:
            urgency, door = await self.box.fetch()
            if await self.bring(door):
                self.delivered += 1
            elif self.puts_back:
                await self.box.post(urgency + 1, door)
            else:
                self.left += 1
