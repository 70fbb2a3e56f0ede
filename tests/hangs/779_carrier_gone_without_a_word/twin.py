import os
import signal

from carriers import deliver

signal.alarm(120)


def open_depot():
    while True:
        deliver(["bread", "milk"])


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(open_depot())
