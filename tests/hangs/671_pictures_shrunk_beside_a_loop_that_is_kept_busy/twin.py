import asyncio
import os
import queue
import signal
import sys
import threading

signal.alarm(120)


class Studio(threading.Thread):
    def __init__(self):
        super().__init__(name="studio", daemon=True)
        self.orders = queue.Queue()
        self.done = queue.Queue()

    def run(self):
        asyncio.run(self.work())

    async def work(self):
        while True:
            picture = await asyncio.to_thread(self.orders.get)
            self.done.put(await self.shrink(picture))

    async def shrink(self, picture):
        command = await asyncio.create_subprocess_exec(sys.executable, "-c", "pass")
        return picture, await command.wait()


async def show(studio, pictures):
    for picture in pictures:
        studio.orders.put(picture)
    return [await asyncio.to_thread(studio.done.get) for _ in pictures]


async def gallery(pictures):
    watcher = asyncio.SafeChildWatcher()
    watcher.attach_loop(asyncio.get_running_loop())
    asyncio.set_child_watcher(watcher)
    studio = Studio()
    studio.start()
    while True:
        await show(studio, pictures)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(gallery(["bridge.png", "harbour.png"]))
