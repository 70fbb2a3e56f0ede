import asyncio
import multiprocessing
import os
import time


def develop(number, daylight, negatives):
    time.sleep(0.05)
    negatives.put("film %d" % number)
    daylight.wait()


class Darkroom:
    def __init__(self):
        self.context = multiprocessing.get_context("fork")
        self.negatives = self.context.Queue()

    async def process(self, number):
        loop = asyncio.get_running_loop()
        daylight = self.context.Event()
        worker = self.context.Process(
            target=develop, args=(number, daylight, self.negatives), name="film-%d" % number
        )
        worker.start()
        if LIGHT_FIRST:
            daylight.set()
        await loop.run_in_executor(None, worker.join)
        daylight.set()
        return await loop.run_in_executor(None, self.negatives.get)


async def main():
    darkroom = Darkroom()
    number = 0
    while True:
        await darkroom.process(number)
        number += 1


LIGHT_FIRST = False


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(main())
