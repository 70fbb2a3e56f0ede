import multiprocessing
import os
import signal
import time
from concurrent.futures import ProcessPoolExecutor

signal.alarm(120)


def set_up_grinder(ready):
    global started
    ready.wait()
    started = time.monotonic()


def grind(bean):
    time.sleep(0.05)
    return bean.upper()


class Roastery:
    def __init__(self, grinders):
        self.context = multiprocessing.get_context("spawn")
        ready = self.context.Barrier(grinders)
        self.pool = ProcessPoolExecutor(
            grinders, self.context, initializer=set_up_grinder, initargs=(ready,)
        )

    def first_order(self, bean):
        return self.pool.submit(grind, bean).result()


def open_shop():
    roastery = Roastery(3)
    return roastery.first_order("arabica")


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    print(open_shop())
