import asyncio
import os
import signal
import threading

signal.alarm(120)


class LoopThread:
    def __init__(self):
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, name="loop", daemon=True)
        self.thread.start()

    def run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result()


class Session:
    def __init__(self, background, name):
        self.background = background
        self.name = name
        self.me = self
        self.open = True

    async def fetch(self, path):
        await asyncio.sleep(0.01)
        rows = [[path, number] for number in range(2000)]
        return len(rows)

    async def aclose(self):
        await asyncio.sleep(0)
        self.open = False

    def close(self):
        if self.open:
            self.background.run(self.aclose())

    def __del__(self):
        self.close()


def read_pages(background):
    total = 0
    while True:
        session = Session(background, "shop")
        total += background.run(session.fetch("/news"))


if __name__ == "__main__":
    background = LoopThread()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    read_pages(background)
