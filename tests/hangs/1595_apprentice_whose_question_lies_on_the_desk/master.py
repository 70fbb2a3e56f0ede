import asyncio
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor

from workshop import Desk, carve


class Master:
    def __init__(self, pool, desk):
        self.pool = pool
        self.desk = desk
        self.chairs = 0

    async def order(self, numbers, beside):
        loop = asyncio.get_running_loop()
        pieces = [
            loop.run_in_executor(self.pool, carve, number, self.desk.questions, self.desk.answers)
            for number in numbers
        ]
        done = asyncio.gather(*pieces)
        if beside:
            while not done.done():
                self.desk.answer_waiting()
                await asyncio.sleep(0.02)
        await done
        self.desk.answer_waiting()
        self.chairs += 1

    async def stove(self):
        while True:
            await asyncio.sleep(0.5)


async def work(beside):
    context = multiprocessing.get_context("spawn")
    manager = context.Manager()
    desk = Desk(manager.Queue(), manager.Queue())
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        master = Master(pool, desk)
        stove = asyncio.create_task(master.stove(), name="stove")
        await master.order([1, 2], beside)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while not stove.done():
            await master.order([1, 2, 3, 4], beside)


def run(beside):
    asyncio.run(work(beside))
