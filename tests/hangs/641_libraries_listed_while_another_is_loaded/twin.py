import os
import signal
import time

from collected import Inventory

signal.alarm(120)


def write_support_report():
    inventory = Inventory()
    return ["%s %d %s" % row for row in inventory.take()]


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        write_support_report()
        time.sleep(0.01)
