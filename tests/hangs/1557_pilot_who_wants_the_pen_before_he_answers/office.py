import fcntl
import subprocess
import sys
import threading
import time
from pathlib import Path

HERE = Path(__file__).parent


class Logbook:
    """One file in which all who work in the harbour write."""

    def __init__(self, path):
        self.file = path.open("a+", buffering=1)

    def __enter__(self):
        fcntl.lockf(self.file, fcntl.LOCK_EX)
        return self

    def __exit__(self, *trouble):
        fcntl.lockf(self.file, fcntl.LOCK_UN)

    def write(self, words):
        self.file.seek(0)
        self.file.truncate()
        self.file.write(words + "\n")


class Pilot:
    """The boat that goes out to look; it speaks through two pipes."""

    def __init__(self, path):
        command = [sys.executable, "-u", str(HERE / "pilot.py"), str(path)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.boat = subprocess.Popen(command, text=True, bufsize=1, **pipes)

    def depth(self, berth):
        self.boat.stdin.write("%d\n" % berth)
        return float(self.boat.stdout.readline())


class Office:
    def __init__(self, path, asks_first):
        self.book = Logbook(path)
        self.pilot = Pilot(path)
        self.asks_first = asks_first
        self.ships = 0

    def moor(self, berth):
        if self.asks_first:
            depth = self.pilot.depth(berth)
            with self.book:
                self.book.write("berth %d: %.1f" % (berth, depth))
        else:
            with self.book:
                self.book.write("berth %d: %.1f" % (berth, self.pilot.depth(berth)))
        self.ships += 1


class Lamp(threading.Thread):
    def __init__(self):
        super().__init__(name="lamp", daemon=True)
        self.flashes = 0

    def run(self):
        while True:
            time.sleep(0.3)
            self.flashes += 1
