import os
import signal
import time

from shelves import SHELVES, take_inventory

signal.alarm(120)


def print_inventory():
    for name, count in take_inventory(list(SHELVES)).items():
        print(name, count)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        print_inventory()
        time.sleep(0.2)
