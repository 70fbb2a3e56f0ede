import asyncio


class Library:
    def __init__(self):
        self.loop = asyncio.get_running_loop()
        self.orders = []

    async def order(self, title):
        await asyncio.sleep(0.1)
        self.orders.append(title)
        return len(self.orders)

    def read(self, title):
        return asyncio.run_coroutine_threadsafe(self.order(title), self.loop).result()
