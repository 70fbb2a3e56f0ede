import os
import signal
import sys

import requests

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Wardrobe:
    def __init__(self, address):
        self.address = address
        self.session = requests.Session()

    def store(self, name, content):
        answer = self.session.put(self.address + "/suitcases/" + name, data=content)
        answer.raise_for_status()


def arrive(wardrobe):
    wardrobe.store("blue", b"x" * 30_000_000)


if __name__ == "__main__":
    wardrobe = Wardrobe("http://127.0.0.1:%d" % start("refusing_server", "refuses"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    arrive(wardrobe)
