import os
import signal

from carriers import deliver

signal.alarm(120)


def open_depot():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    return deliver(["bread", "milk"])


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(open_depot())
