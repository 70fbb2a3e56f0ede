import os
import signal
import subprocess
import sys

import pandas

signal.alarm(120)
PRESS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "press.py")


class Weights:
    def load(self):
        press = subprocess.Popen(
            [sys.executable, PRESS], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        rows = pandas.read_csv(press.stdout)
        if press.wait():
            raise RuntimeError("the press failed")
        return rows


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        Weights().load()
