import anyio
from bakery import Bakery


class CalmBakery(Bakery):
    async def carry(self):
        with anyio.CancelScope(shield=True):
            async for loaf in self.cart:
                self.sold.append(loaf)

    async def hand_over(self, basket):
        async with self.loaves:
            await super().hand_over(basket)
