import asyncio
import contextlib


class Boat:
    def __init__(self, number):
        self.number = number
        self.trips = 0


class Landing:
    def __init__(self, count):
        self.moored = [Boat(number) for number in range(count)]
        self.changed = asyncio.Condition()
        self.queue = []

    async def board(self, guest):
        async with self.changed:
            self.queue.append(guest)
            try:
                while not self.moored:
                    await self.changed.wait()
            finally:
                self.queue.remove(guest)
            boat = self.moored.pop()
        boat.trips += 1
        return boat

    async def land(self, boat):
        async with self.changed:
            self.moored.append(boat)
            self.changed.notify()

    @contextlib.asynccontextmanager
    async def trip(self, guest):
        boat = await self.board(guest)
        try:
            yield boat
        finally:
            await self.land(boat)
