import os
import signal

from bakery import Bakery

signal.alarm(120)

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Bakery().open()
