import os
import signal

from mill import Mill

signal.alarm(120)


def run_mill():
    mill = Mill(1)
    mill.start_bringing()
    for _ in range(3):
        mill.grind()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run_mill()
