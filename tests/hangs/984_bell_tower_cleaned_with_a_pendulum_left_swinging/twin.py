import os
import sys

from ptyprocess import PtyProcess

SWING = 0.2
CLEANING = """
trap "" HUP
%s -c "import time; time.sleep(%s)" &
echo bell one is clean
echo bell two is clean
"""


class Tower:
    def __init__(self):
        self.report = []

    def clean(self):
        cleaner = PtyProcess.spawn(["sh", "-c", CLEANING % (sys.executable, SWING)])
        try:
            while True:
                self.report.append(cleaner.read())
        except EOFError:
            cleaner.close(force=True)


def keep_tower():
    tower = Tower()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        tower.clean()
        del tower.report[:]


if __name__ == "__main__":
    keep_tower()
