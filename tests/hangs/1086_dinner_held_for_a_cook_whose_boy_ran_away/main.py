import asyncio
import os

EMPTY = 30


class Kitchen:
    def __init__(self):
        self.laid = asyncio.Event()
        self.plates = []

    async def fetch_salt(self, evening):
        if evening == EMPTY:
            raise LookupError("no salt on evening %d" % evening)
        self.plates.append("salt")

    async def season(self, group, evening):
        group.create_task(self.fetch_salt(evening))
        await self.laid.wait()
        self.plates.append("soup")

    async def lay_table(self):
        await asyncio.sleep(0.02)

    async def serve(self, evening):
        async with asyncio.TaskGroup() as group:
            group.create_task(self.season(group, evening), name="cook")
            await self.lay_table()
            self.laid.set()
        return self.plates


async def run_house():
    asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    evening = 0
    while True:
        await Kitchen().serve(evening)
        evening += 1


if __name__ == "__main__":
    asyncio.run(run_house())
