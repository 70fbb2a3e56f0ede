import asyncio


class Rudder:
    def __init__(self):
        self.lock = asyncio.Lock()
        self.angle = 0
        self.history = []

    async def turn_to(self, target):
        try:
            while self.angle != target:
                self.angle += 1 if self.angle < target else -1
                await asyncio.sleep(0.02)
        finally:
            await self.note()

    async def note(self):
        async with self.lock:
            self.history.append(self.angle)
            del self.history[:-20]


class Helm:
    def __init__(self, rudder, patience):
        self.rudder = rudder
        self.patience = patience
        self.missed = 0

    async def course(self, target):
        async with self.rudder.lock:
            origin = self.rudder.angle
        try:
            await asyncio.wait_for(self.rudder.turn_to(target), self.patience)
        except asyncio.TimeoutError:
            self.missed += 1
        return origin

    async def hard_course(self, target):
        async with self.rudder.lock:
            try:
                await asyncio.wait_for(self.rudder.turn_to(target), self.patience)
            except asyncio.TimeoutError:
                self.missed += 1

    async def steer(self, hard):
        leg = 0
        while True:
            leg += 1
            await self.course(leg % 7)
            if hard and leg > 5:
                await self.hard_course(90)
            await asyncio.sleep(0.05)


class Log:
    def __init__(self, rudder):
        self.rudder = rudder
        self.entries = []

    async def keep(self):
        while True:
            self.entries.append(self.rudder.angle)
            del self.entries[:-10]
            await asyncio.sleep(0.5)
