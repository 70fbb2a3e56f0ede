import os
import queue
import subprocess
import sys
import telnetlib
import threading
import time


class Tank:
    PROMPT = b"switch> "

    def __init__(self, port):
        self.line = telnetlib.Telnet("127.0.0.1", port)
        self.line.read_until(self.PROMPT)

    def level(self):
        self.line.write(b"show level\n")
        text = self.line.read_until(self.PROMPT)
        return int(text.split()[1])


class Poller(threading.Thread):
    def __init__(self, port, levels):
        super().__init__(name="poller", daemon=True)
        self.port = port
        self.levels = levels

    def run(self):
        tank = Tank(self.port)
        while True:
            self.levels.put(tank.level())
            time.sleep(0.2)


class Pump(threading.Thread):
    def __init__(self):
        super().__init__(name="pump", daemon=True)
        self.strokes = 0

    def run(self):
        while True:
            self.strokes += 1
            time.sleep(0.25)


def run_plant(prompt):
    here = os.path.dirname(os.path.abspath(__file__))
    child = subprocess.Popen(
        [sys.executable, os.path.join(here, "device.py"), prompt], stdout=subprocess.PIPE
    )
    port = int(child.stdout.readline())
    levels = queue.Queue(4)
    Pump().start()
    Poller(port, levels).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        if levels.get() > 90:
            break
