import asyncio
import os

from depot.desk import Belt, Desk

EARLY = False


async def ventilate(state):
    while True:
        await asyncio.sleep(0.3)
        state["turns"] += 1


async def main(belt):
    desk = Desk(belt, EARLY)
    state = {"turns": 0}
    await asyncio.gather(
        asyncio.create_task(desk.clerk(), name="clerk"),
        asyncio.create_task(desk.porter(), name="porter"),
        asyncio.create_task(ventilate(state), name="fan"),
    )


def open_line():
    inner, outer = os.pipe()
    os.dup2(inner, 0)
    os.close(inner)
    belt = Belt(outer)
    belt.start()
    return belt


if __name__ == "__main__":
    line = open_line()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main(line))
