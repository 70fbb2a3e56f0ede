import asyncio
import os

from tea.room import TeaRoom, cat


async def main(carried_out):
    room = TeaRoom(asyncio.get_running_loop(), carried_out)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    await asyncio.gather(room.open(), cat([]))


if __name__ == "__main__":
    asyncio.run(main(carried_out=False))
