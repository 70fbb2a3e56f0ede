import os
import subprocess
import sys
import time

import requests

HERE = os.path.dirname(os.path.abspath(__file__))


class Catalogue:
    def __init__(self, edition):
        command = [sys.executable, os.path.join(HERE, "catalogue.py"), edition]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.base = "http://127.0.0.1:%d" % int(self.process.stdout.readline())


class Shop:
    def __init__(self, catalogue):
        self.catalogue = catalogue
        self.session = requests.Session()
        self.prices = {}

    def fetch_price(self, goods):
        answer = self.session.get(self.catalogue.base + "/goods/" + goods, timeout=5)
        answer.raise_for_status()
        return float(answer.text)

    def update(self, names):
        for goods in names:
            self.prices[goods] = self.fetch_price(goods)


def run_shop(edition):
    shop = Shop(Catalogue(edition))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        shop.update(["tea", "coffee"])
        time.sleep(0.05)


EDITION = "long"


if __name__ == "__main__":
    run_shop(EDITION)
