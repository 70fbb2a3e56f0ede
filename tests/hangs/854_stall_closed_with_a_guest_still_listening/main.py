import os
import signal
import time

from stall import Stall

signal.alarm(120)


def run_day():
    stall = Stall()
    stall.listen()
    for price, name in enumerate(("apples", "pears", "plums")):
        stall.offer(name, price)
    stall.first.wait(5)
    return stall


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    stall = run_day()
    time.sleep(0.5)
