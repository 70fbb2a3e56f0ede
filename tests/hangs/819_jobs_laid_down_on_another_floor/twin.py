import os
import signal
import time

from mill import Mill

signal.alarm(120)


class BusyMill(Mill):
    def bring(self):
        while True:
            super().bring()
            time.sleep(1)


def run_mill():
    mill = BusyMill(0)
    mill.start_bringing()
    while True:
        mill.grind()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run_mill()
