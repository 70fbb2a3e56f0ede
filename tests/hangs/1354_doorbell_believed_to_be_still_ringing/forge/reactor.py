import collections
import os
import selectors
import threading


class Reactor(threading.Thread):
    """Runs jobs in its own thread; a byte in the pipe says that there are some."""

    def __init__(self):
        super().__init__(name="reactor", daemon=True)
        self.jobs = collections.deque()
        self.guard = threading.Lock()
        self.rung = False
        self.ear, self.bell = os.pipe()
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.ear, selectors.EVENT_READ)
        self.failures = 0

    def call(self, job):
        with self.guard:
            self.jobs.append(job)
            if self.rung:
                return
            self.rung = True
        os.write(self.bell, b"!")

    def drain(self):
        os.read(self.ear, 64)
        while self.jobs:
            self.jobs.popleft()()
        with self.guard:
            self.rung = False

    def run(self):
        while True:
            self.selector.select()
            try:
                self.drain()
            except Exception:  # noqa: BLE001
                self.failures += 1
