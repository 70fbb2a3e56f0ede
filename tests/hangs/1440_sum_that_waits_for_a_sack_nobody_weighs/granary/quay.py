import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).parent.parent


def start_store():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = tempfile.gettempdir()
    command = ["redis-server", "--port", str(port), "--save", "", "--dir", folder]
    subprocess.Popen(command, stdout=subprocess.DEVNULL)
    os.environ["GRANARY_STORE"] = "redis://127.0.0.1:%d/0" % port
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)


def start_weighers():
    command = [sys.executable, "-m", "celery", "-A", "granary.tasks", "worker"]
    command += ["--pool=solo", "--without-gossip", "--without-mingle", "--loglevel=ERROR"]
    return subprocess.Popen(command, cwd=HERE, stdout=subprocess.DEVNULL)


class Tide(threading.Thread):
    def __init__(self):
        super().__init__(name="tide", daemon=True)
        self.level = 0

    def run(self):
        while True:
            self.level = (self.level + 1) % 12
            time.sleep(0.5)


class Quay:
    def __init__(self, cargo):
        self.cargo = cargo
        self.books = []

    def weigh_barge(self, barge):
        from celery import chord

        from granary.tasks import add_up, weigh

        sacks = [{"grain": grain, "bushels": 3 + barge % 4} for grain in self.cargo]
        total = chord([weigh.s(sack) for sack in sacks])(add_up.s(barge))
        return total.get()

    def day(self):
        barge = 0
        while True:
            self.books.append(self.weigh_barge(barge))
            barge += 1
