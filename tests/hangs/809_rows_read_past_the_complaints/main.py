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
            [sys.executable, PRESS], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        rows = pandas.read_csv(press.stdout)
        complaints = press.stderr.read()
        if press.wait():
            raise RuntimeError(complaints)
        return rows


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Weights().load()
