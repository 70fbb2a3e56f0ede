import anyio


class Bakery:
    def __init__(self):
        self.loaves, self.cart = anyio.create_memory_object_stream(0)
        self.sold = []

    async def bake(self):
        basket = []
        try:
            while True:
                basket.append("loaf %d" % len(basket))
                await anyio.sleep(0.05)
        finally:
            with anyio.CancelScope(shield=True):
                await self.hand_over(basket)

    async def hand_over(self, basket):
        for loaf in basket:
            await self.loaves.send(loaf)

    async def carry(self):
        while True:
            self.sold.append(await self.cart.receive())
