import asyncio
import os

from mason.plan import house
from mason.site import Site

BY_NEED = False


async def main():
    site = Site(gangs=3)
    clock = asyncio.create_task(site.keep_hours(), name="clock")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        plan = house()
        await site.put_up(plan, plan.by_need() if BY_NEED else plan.by_name())
        await asyncio.sleep(0)
    clock.cancel()


if __name__ == "__main__":
    asyncio.run(main())
