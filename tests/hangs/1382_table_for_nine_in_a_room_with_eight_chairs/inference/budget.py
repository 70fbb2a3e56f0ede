import asyncio
import contextlib


class TokenBudget:
    def __init__(self, total):
        self.total = total
        self.used = 0
        self.changed = asyncio.Condition()

    def fits(self, amount):
        return self.used + amount <= self.total

    async def reserve(self, amount):
        async with self.changed:
            await self.changed.wait_for(lambda: self.fits(amount))
            self.used += amount

    async def give_back(self, amount):
        async with self.changed:
            self.used -= amount
            self.changed.notify_all()

    @contextlib.asynccontextmanager
    async def share(self, amount):
        await self.reserve(amount)
        try:
            yield
        finally:
            await self.give_back(amount)
