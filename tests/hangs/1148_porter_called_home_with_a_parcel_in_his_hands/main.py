import asyncio
import os


class Porter:
    def __init__(self):
        self.orders = asyncio.Queue()
        self.carried = []

    async def work(self):
        while True:
            order = await self.orders.get()
            parcel = await asyncio.wait_for(order.parcel, 5)
            self.carried.append((order.name, parcel))


class Order:
    def __init__(self, name):
        self.name = name
        self.parcel = asyncio.get_running_loop().create_future()


class Depot:
    def __init__(self):
        self.porter = Porter()
        self.task = None

    def open(self):
        self.task = asyncio.create_task(self.porter.work(), name="porter")

    async def send(self, name):
        order = Order(name)
        self.porter.orders.put_nowait(order)
        await asyncio.sleep(0.005)
        order.parcel.set_result("box")
        await asyncio.sleep(PAUSE) if PAUSE else None

    async def close(self):
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


async def run_depot():
    depot = Depot()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        depot.open()
        await depot.send("lamp")
        await depot.close()
        del depot.porter.carried[:]


PAUSE = 0


if __name__ == "__main__":
    asyncio.run(run_depot())
