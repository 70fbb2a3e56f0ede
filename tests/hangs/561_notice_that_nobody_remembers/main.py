import asyncio
import gc
import os
import signal

signal.alarm(120)


class Notice:
    def __init__(self, name):
        self.name = name
        self.read = asyncio.get_running_loop().create_future()
        self.task = asyncio.ensure_future(self.wait_until_read())

    async def wait_until_read(self):
        await self.read
        return self.name


class Board:
    def __init__(self):
        self.all_read = asyncio.Event()
        self.waiting = 0

    async def follow(self, name):
        notice = Notice(name)
        await notice.task
        self.waiting -= 1
        if not self.waiting:
            self.all_read.set()

    def pin(self, names):
        for name in names:
            self.waiting += 1
            asyncio.ensure_future(self.follow(name))

    async def tidy(self):
        await asyncio.sleep(0.2)
        gc.collect()


async def run_board():
    board = Board()
    board.pin(["sale", "closing"])
    await board.tidy()
    await board.all_read.wait()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(run_board())
