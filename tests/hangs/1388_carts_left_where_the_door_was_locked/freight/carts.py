import asyncio


class Cart:
    def __init__(self, number):
        self.number = number
        self.miles = 0


class CartPool:
    def __init__(self, size):
        self.idle = asyncio.Queue()
        for number in range(size):
            self.idle.put_nowait(Cart(number))

    async def acquire(self):
        return await self.idle.get()

    def release(self, cart):
        self.idle.put_nowait(cart)
