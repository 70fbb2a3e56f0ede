import os
import subprocess
import sys
import time

from ilock import ILock

BOY = os.path.join(os.path.dirname(__file__), "boy.py")


class Wheel:
    def __init__(self):
        self.turns = 0

    def turn(self):
        while True:
            self.turns += 1
            time.sleep(0.1)


class Miller:
    """Keeps the mill for himself while he grinds, against other programs."""

    def __init__(self, lane, wheel, holds_it):
        self.lane = lane
        self.wheel = wheel
        self.holds_it = holds_it
        self.sacks = []

    def mill(self):
        return ILock("mill", lock_directory=self.lane)

    def send_boy(self, sack):
        done = subprocess.run(
            [sys.executable, "-u", BOY, self.lane, str(sack)], stdout=subprocess.PIPE, check=True
        )
        return int(done.stdout)

    def grind(self, sack):
        if not self.holds_it:
            return self.send_boy(sack)
        with self.mill():
            return self.send_boy(sack)

    def week(self):
        sack = 0
        while True:
            time.sleep(0.3)
            sack += 1
            self.sacks.append(self.grind(sack))
            del self.sacks[:-20]
