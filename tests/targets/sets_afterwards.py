"""A task waits for an event that it sets itself once that wait is over, by way of a method; another
task would set it as well, and waits for an item that nobody puts."""

import asyncio

from ready import ready


class Desk:
    def __init__(self):
        self.done = asyncio.Event()
        self.orders = asyncio.Queue()

    def close(self):
        self.done.set()

    async def serve(self):
        await self.orders.get()
        self.close()

    async def clear(self):
        await self.done.wait()  # waits


async def clerk(desk):
    await desk.clear()
    desk.close()


async def main():
    desk = Desk()
    serving = asyncio.create_task(desk.serve(), name="serving")
    await asyncio.sleep(0)
    ready()
    await clerk(desk)
    await serving


if __name__ == "__main__":
    asyncio.run(main())
