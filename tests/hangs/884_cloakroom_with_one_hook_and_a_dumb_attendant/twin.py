import asyncio
import os
import sys

import aiomcache

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

SERVER = "memcached_server"
GUESTS = ("Mara", "Ben", "Zoe")


class Cloakroom:
    def __init__(self, port):
        self.hooks = aiomcache.Client("127.0.0.1", port, pool_size=1)
        self.handed_out = 0

    async def fetch(self, guest):
        coat = await self.hooks.get(b"coat:" + guest.encode())
        self.handed_out += 1
        return coat

    async def hang_up(self, guest):
        await self.hooks.set(b"coat:" + guest.encode(), b"wool")


async def leave(room, guest):
    coat = await room.fetch(guest)
    if coat is None:
        await room.hang_up(guest)
    return coat


async def evening(room):
    async with asyncio.TaskGroup() as group:
        for guest in GUESTS:
            group.create_task(leave(room, guest), name=guest)


async def main():
    room = Cloakroom(start(SERVER))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await evening(room)
        await asyncio.sleep(0.05)


if __name__ == "__main__":
    asyncio.run(main())
