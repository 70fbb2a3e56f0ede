import os

import anyio

from house.party import Party

PATIENCE = 0.1


async def radio():
    while True:
        await anyio.sleep(0.3)


async def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    async with anyio.create_task_group() as group:
        group.start_soon(radio)
        group.start_soon(Party(PATIENCE).season)


if __name__ == "__main__":
    anyio.run(main)
