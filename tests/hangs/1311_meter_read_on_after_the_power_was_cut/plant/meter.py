import subprocess
import sys
import threading
from collections import deque


class Meter(threading.Thread):
    """Reads what the meter's program writes."""

    def __init__(self, script, readings, ends):
        super().__init__(name="meter", daemon=True)
        self.child = subprocess.Popen(
            [sys.executable, script, str(readings)], stdout=subprocess.PIPE
        )
        self.ends = ends
        self.last = deque(maxlen=50)
        self.finished = threading.Event()

    def read_all(self):
        for line in iter(self.child.stdout.readline, self.ends):
            self.last.append(line.strip())

    def run(self):
        self.read_all()
        self.finished.set()
