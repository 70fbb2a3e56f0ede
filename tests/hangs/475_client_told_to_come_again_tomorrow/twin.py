import os
import signal
import sys

import requests
from requests.adapters import HTTPAdapter
from urllib3.util.retry import Retry

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Maps:
    def __init__(self, port):
        self.address = "http://127.0.0.1:%d" % port
        self.session = requests.Session()
        retry = Retry(total=5, status_forcelist=[429, 503], backoff_factor=0.1)
        self.session.mount("http://", HTTPAdapter(max_retries=retry))

    def find_place(self, name):
        answer = self.session.get(self.address + "/places/" + name, timeout=5)
        return answer.json()


def plan_tour(maps, names):
    return [maps.find_place(name) for name in names]


if __name__ == "__main__":
    maps = Maps(start("busy_server", 1))
    print("MARK main pid=%d" % os.getpid())
    while True:
        plan_tour(maps, ["harbour", "tower"])
