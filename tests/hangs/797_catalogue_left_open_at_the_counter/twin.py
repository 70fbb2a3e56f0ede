import os
import signal
import time

import requests
from library import start_library

signal.alarm(120)


class Visitor:
    def __init__(self, address):
        self.address = address
        self.session = requests.Session()

    def titles(self):
        return self.session.get(self.address + "/catalogue").text.splitlines()

    def look_up(self, title):
        return self.session.get(self.address + "/book/" + title).text

    def shelves(self):
        for title in self.titles():
            self.look_up(title[:4])
            time.sleep(0.05)


if __name__ == "__main__":
    visitor = Visitor(start_library())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    visitor.shelves()
