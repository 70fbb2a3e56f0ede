import asyncio


class Bar:
    def __init__(self):
        self.glasses = 0

    async def fill(self, guest):
        await asyncio.sleep(0.2)
        self.glasses += 1

    def take_orders(self, guests):
        for guest in guests:
            asyncio.create_task(self.fill(guest), name=f"order-{guest}")

    async def finish_orders(self):
        await asyncio.gather(*asyncio.all_tasks())
