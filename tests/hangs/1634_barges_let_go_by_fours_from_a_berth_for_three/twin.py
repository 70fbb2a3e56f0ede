import asyncio
import os
import sys
import tempfile

from canal.lock_house import Keeper, LockHouse

BY = 2


async def main():
    path = os.path.join(tempfile.mkdtemp(prefix="canal"), "lock.sock")
    house = LockHouse(path, BY)
    server = await house.open()
    barges = os.path.join(os.path.dirname(os.path.abspath(__file__)), "canal", "barges.py")
    child = await asyncio.create_subprocess_exec(sys.executable, "-u", barges, path, "3")
    keeper = Keeper(house)
    lamp = asyncio.get_running_loop().create_task(keeper.lamp())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    async with server:
        await keeper.count()
    await child.wait()
    await lamp


if __name__ == "__main__":
    asyncio.run(main())
