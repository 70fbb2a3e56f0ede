import asyncio
import json
import os
import sys

import redis.asyncio as redis


class Saws:
    def __init__(self, port):
        self.store = redis.Redis(port=port, decode_responses=True)

    async def hang_up(self, name):
        await self.store.rpush("saws:free", name)

    async def borrow(self):
        _, name = await self.store.blpop("saws:free")
        return name

    async def next_log(self):
        _, log = await self.store.blpop("logs")
        return json.loads(log)

    async def stack(self, man, log, boards):
        done = {"man": man, "log": log["number"], "boards": boards}
        await self.store.rpush("boards", json.dumps(done))

    async def boards(self):
        _, done = await self.store.blpop("boards")
        return json.loads(done)


async def cut(saws, man, pace):
    while True:
        log = await saws.next_log()
        saw = await saws.borrow()
        await saws.store.hset("saws:with", saw, man)
        await asyncio.sleep(pace)
        await saws.stack(man, log, log["girth"] // 5)
        await saws.hang_up(saw)


if __name__ == "__main__":
    man, port, pace = sys.argv[1:]
    print(man, os.getpid(), flush=True)
    asyncio.run(cut(Saws(int(port)), man, float(pace)))
