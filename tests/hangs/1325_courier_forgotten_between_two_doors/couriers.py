import asyncio
import gc
import weakref


class Receipt:
    def __init__(self, future):
        self.future = future


class Doors:
    def __init__(self):
        self.open_requests = weakref.WeakValueDictionary()
        self.rung = 0

    def ring(self, street):
        receipt = asyncio.get_running_loop().create_future()
        self.open_requests[street] = receipt
        self.rung += 1
        return receipt

    async def answer(self):
        while True:
            await asyncio.sleep(0.3)
            for receipt in list(self.open_requests.values()):
                if not receipt.done():
                    receipt.set_result(True)


class Office:
    def __init__(self, doors, roster):
        self.doors = doors
        self.roster = roster
        self.delivered = 0

    async def deliver(self, street, handed_over):
        await asyncio.sleep(0.01)
        await self.doors.ring(street)
        handed_over.set()

    def send(self, street):
        handed_over = asyncio.Event()
        courier = asyncio.create_task(self.deliver(street, handed_over))
        if self.roster is not None:
            self.roster.add(courier)
            courier.add_done_callback(self.roster.discard)
        return handed_over

    async def parcel(self, street):
        handed_over = self.send(street)
        await handed_over.wait()
        self.delivered += 1

    async def dispatch(self):
        street = 0
        while True:
            await self.parcel(street % 30)
            street += 1


async def tidy(seconds):
    while True:
        await asyncio.sleep(seconds)
        gc.collect()
