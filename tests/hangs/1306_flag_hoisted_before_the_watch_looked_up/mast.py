import os
import signal
import sys


def answer(order):
    os.kill(os.getppid(), signal.SIGUSR2 if order == "fog" else signal.SIGUSR1)


if __name__ == "__main__":
    for line in sys.stdin:
        answer(line.strip())
