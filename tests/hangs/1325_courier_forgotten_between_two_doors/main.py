import asyncio
import os

from couriers import Doors, Office, tidy

ROSTER = None


async def main():
    doors = Doors()
    office = Office(doors, ROSTER)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    async with asyncio.TaskGroup() as group:
        group.create_task(doors.answer(), name="doors")
        group.create_task(office.dispatch(), name="dispatch")
        group.create_task(tidy(0.13), name="tidy")


if __name__ == "__main__":
    asyncio.run(main())
