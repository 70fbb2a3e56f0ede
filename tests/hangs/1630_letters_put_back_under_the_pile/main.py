import asyncio
import os

from post.office import Box, Hours
from post.round import Carrier, Clerk

PUTS_BACK = True


async def main():
    box = Box(5)
    hours = Hours()
    carrier = Carrier(box, hours, PUTS_BACK)
    tasks = [asyncio.create_task(Clerk(box, n).work(), name="clerk-%d" % n) for n in range(3)]
    tasks.append(asyncio.create_task(carrier.work(), name="carrier"))
    tasks.append(asyncio.create_task(hours.pass_by(), name="hours"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await asyncio.gather(*tasks)


if __name__ == "__main__":
    asyncio.run(main())
