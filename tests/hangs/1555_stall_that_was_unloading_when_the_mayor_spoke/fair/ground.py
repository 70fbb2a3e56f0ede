import asyncio

from eventkit import Event


class Gate:
    def __init__(self):
        self.opened = Event("opened")
        self.rung = Event("rung")
        self.is_open = False

    async def keep(self):
        await asyncio.sleep(0.3)
        self.is_open = True
        self.opened.emit("by the mayor")
        bell = 0
        while True:
            await asyncio.sleep(0.5)
            bell += 1
            self.rung.emit(bell)


class Stall:
    """Sells once the fair is open and the cart is empty."""

    def __init__(self, name, gate, crates):
        self.name = name
        self.gate = gate
        self.crates = crates
        self.sold = 0
        self.bells = []
        gate.rung += self.bells.append

    async def unload(self):
        for _ in range(self.crates):
            await asyncio.sleep(0.05)

    async def sell(self, looks):
        await self.unload()
        if not (looks and self.gate.is_open):
            await self.gate.opened
        while True:
            await asyncio.sleep(0.2)
            self.sold += 1


class Fair:
    CRATES = {"cheese": 2, "honey": 4, "copper": 20}

    def __init__(self):
        self.gate = Gate()
        self.stalls = [Stall(name, self.gate, crates) for name, crates in self.CRATES.items()]

    async def hold(self, looks):
        tasks = [asyncio.create_task(self.gate.keep(), name="gatekeeper")]
        for stall in self.stalls:
            tasks.append(asyncio.create_task(stall.sell(looks), name="stall-" + stall.name))
        await asyncio.gather(*tasks)
