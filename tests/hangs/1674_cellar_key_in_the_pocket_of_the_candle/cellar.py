import contextlib
import fcntl
import os
import subprocess
import sys
import threading
import time


class Cellar:
    """One at a time goes down; who does writes what was taken."""

    def __init__(self, path):
        self.path = path
        self.taken = 0

    @contextlib.contextmanager
    def key(self):
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT)
        os.set_inheritable(handle, True)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield handle
        finally:
            os.close(handle)

    def take(self):
        with self.key():
            self.taken += 1


class Household:
    def __init__(self, cellar, shut):
        self.cellar = cellar
        self.shut = shut
        self.candle = None

    def light_candle(self):
        """A small program that burns on while we go up and down."""
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "candle.py")
        with self.cellar.key():
            self.candle = subprocess.Popen([sys.executable, script], close_fds=self.shut)

    def evening(self):
        self.cellar.take()
        self.light_candle()
        while True:
            self.cellar.take()
            time.sleep(0.05)


class Clock(threading.Thread):
    def __init__(self):
        super().__init__(name="clock", daemon=True)
        self.ticks = 0

    def run(self):
        while True:
            time.sleep(0.5)
            self.ticks += 1
