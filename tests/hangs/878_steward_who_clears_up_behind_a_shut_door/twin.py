import os

import anyio

ALWAYS = True


class Kitchen:
    def __init__(self):
        self.emptied = anyio.Event()
        self.ready = []

    async def cook(self, orders):
        try:
            for order in orders:
                await anyio.sleep(0.01)
                self.ready.append(order)
        finally:
            if ALWAYS:
                self.emptied.set()
        self.emptied.set()


class Hall:
    def __init__(self, kitchen):
        self.kitchen = kitchen
        self.served = []

    async def serve(self):
        try:
            while True:
                await anyio.sleep(0.005)
                if self.kitchen.ready:
                    self.served.append(self.kitchen.ready.pop(0))
        finally:
            with anyio.CancelScope(shield=True):
                await self.clear_up()

    async def clear_up(self):
        await self.kitchen.emptied.wait()
        self.served.extend(self.kitchen.ready)


async def dinner(orders):
    kitchen = Kitchen()
    hall = Hall(kitchen)
    async with anyio.create_task_group() as group:
        group.start_soon(kitchen.cook, orders, name="cook")
        group.start_soon(hall.serve, name="serve")
        await anyio.sleep(0.1)
        group.cancel_scope.cancel()
    return hall.served


async def season():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await dinner(["soup", "fish", "cake"] * 20)


if __name__ == "__main__":
    anyio.run(season)
