import asyncio


class Trays:
    def __init__(self, count):
        self.free = asyncio.Semaphore(count)
        self.dirty = 0

    async def take(self):
        await self.free.acquire()

    def put_aside(self):
        self.dirty += 1

    def wash(self):
        while self.dirty:
            self.dirty -= 1
            self.free.release()


class Canteen:
    def __init__(self, trays):
        self.trays = Trays(trays)
        self.meals = 0

    async def eat(self, guest):
        await self.trays.take()
        await asyncio.sleep(0.02 + guest % 3 / 100)
        self.meals += 1
        return "guest %d" % guest

    async def serve(self, guests, clear_at_once):
        names = []
        meals = [asyncio.create_task(self.eat(guest)) for guest in range(guests)]
        for meal in asyncio.as_completed(meals):
            names.append(await meal)
            self.trays.put_aside()
            if clear_at_once:
                self.trays.wash()
        self.trays.wash()
        return names
