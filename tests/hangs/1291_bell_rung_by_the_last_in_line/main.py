import os
import threading

import anyio

CHAIRS = 3


class Waiting:
    def __init__(self):
        self.called = threading.Condition()
        self.number = 0

    def sit(self):
        with self.called:
            self.called.wait_for(lambda: self.number)

    def call_next(self):
        with self.called:
            self.number += 1
            self.called.notify_all()


async def visit(waiting, chairs):
    await anyio.to_thread.run_sync(waiting.sit, limiter=chairs)


async def ring(waiting, chairs):
    await anyio.sleep(0.5)
    await anyio.to_thread.run_sync(waiting.call_next, limiter=chairs)


async def practice():
    while True:
        waiting, chairs = Waiting(), anyio.CapacityLimiter(CHAIRS)
        async with anyio.create_task_group() as day:
            for _ in range(3):
                day.start_soon(visit, waiting, chairs)
            day.start_soon(ring, waiting, chairs)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    anyio.run(practice)
