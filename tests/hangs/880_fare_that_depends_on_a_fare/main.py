import asyncio
import os

from cashews import cache

cache.setup("mem://")
ZONES = {"north": 2, "south": 3, "lake": 5}
KINSHIP = {"lake": "lake", "north": "south", "south": "lake"}


class Tariff:
    def __init__(self):
        self.base = 1.2
        self.asked = 0

    async def read(self, zone):
        self.asked += 1
        await asyncio.sleep(0.01)
        return self.base * ZONES[zone]


TARIFF = Tariff()


@cache.locked(ttl="1h", key="fare:{zone}", check_interval=0.1)
async def fare(zone, reduced=False):
    full = await TARIFF.read(zone)
    if reduced:
        return full - await discount(zone)
    return full


async def discount(zone):
    related = KINSHIP[zone]
    return (await fare(related)) * 0.1


async def price_list(zones):
    return {zone: await fare(zone, reduced=True) for zone in zones}


async def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await price_list(ZONES)
        await asyncio.sleep(0.05)


if __name__ == "__main__":
    asyncio.run(main())
