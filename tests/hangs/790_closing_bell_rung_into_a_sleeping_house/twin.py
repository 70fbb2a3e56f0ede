import asyncio
import os
import signal
import threading
import time

from house import House

signal.alarm(120)


class LoopHouse(House):
    def listen(self):
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGUSR1, self.closing.set)


def ring_at(hour):
    time.sleep(hour)
    os.kill(os.getpid(), signal.SIGUSR1)


async def open_house():
    house = LoopHouse()
    house.listen()
    while True:
        threading.Thread(target=ring_at, args=(1,), name="porter").start()
        await house.wait_for_the_bell()
        house.closing.clear()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    asyncio.run(open_house())
