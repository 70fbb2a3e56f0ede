import os
import signal
import time

from labels import LabelOffice

signal.alarm(120)


def watch(office):
    while True:
        time.sleep(30)
        print(len(office.printed), "labels")


if __name__ == "__main__":
    office = LabelOffice(2)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    office.open(["to Anna", "to Ben", "to Cleo"])
    watch(office)
