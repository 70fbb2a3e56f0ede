import os

import anyio

from press import Desk, clock, edition

POLITE = True


async def main():
    desk = Desk()
    async with anyio.create_task_group() as group:
        group.start_soon(clock, [], name="clock")
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while True:
            await edition(desk, 0.5, POLITE)


if __name__ == "__main__":
    anyio.run(main)
