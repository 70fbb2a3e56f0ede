import os
import subprocess
import sys
import threading
import time
from multiprocessing.connection import Client

WATCH = os.path.join(os.path.dirname(__file__), "watch.py")


def start_watch(address, stays):
    host, port = address
    return subprocess.Popen([sys.executable, "-u", WATCH, host, str(port), str(int(stays))])


class Clock:
    def __init__(self):
        self.strokes = 0

    def strike(self):
        while True:
            self.strokes += 1
            time.sleep(0.2)


class Trader(threading.Thread):
    def __init__(self, address, word, name):
        super().__init__(name=name, daemon=True)
        self.address = address
        self.word = word
        self.heard = []

    def ask(self, ware):
        with Client(self.address, authkey=self.word) as gate:
            gate.send(ware)
            return gate.recv()

    def run(self):
        while True:
            self.heard.append(self.ask("silk" if len(self.heard) % 2 else "pepper"))
            del self.heard[:-40]
            time.sleep(0.1)
