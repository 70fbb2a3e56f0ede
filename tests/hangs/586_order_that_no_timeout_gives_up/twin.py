import os
import queue
import signal

import anyio
from asyncer import asyncify

signal.alarm(120)


class Desk:
    def __init__(self):
        self.orders = queue.Queue()

    def next_order(self):
        return self.orders.get(timeout=0.2)


async def serve(desk):
    served = []
    for _ in range(2):
        desk.orders.put("tea")
        with anyio.move_on_after(0.5):
            served.append(await asyncify(desk.next_order)())
    return served


if __name__ == "__main__":
    desk = Desk()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        anyio.run(serve, desk)
