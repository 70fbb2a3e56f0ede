import asyncio
import os
import signal

signal.alarm(120)


class Repository:
    def __init__(self, branches):
        self.branches = branches
        self.lock = asyncio.Lock()
        self.fetched = {}

    async def fetch_branch(self, branch):
        async with self.lock:
            await asyncio.sleep(0.02)
            self.fetched[branch] = True

    async def fetch_all(self):
        async with self.lock:
            self.fetched.clear()
        await asyncio.gather(*(self.fetch_branch(branch) for branch in self.branches))


async def main():
    repository = Repository(["main", "stable"])
    while True:
        await asyncio.create_task(repository.fetch_all(), name="fetch-all")


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    asyncio.run(main())
