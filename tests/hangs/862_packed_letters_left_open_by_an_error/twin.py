import itertools
import os
import signal
import time

from packer import Packer, letters

signal.alarm(120)


def pack_day(packer, day):
    packer.begin(f"day-{day}")
    for letter in letters(1000, -1):
        packer.add(letter)
    packer.finish()


def pack_all():
    packer = Packer(2)
    for day in itertools.count():
        pack_day(packer, day % 7)
        time.sleep(0.1)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    pack_all()
