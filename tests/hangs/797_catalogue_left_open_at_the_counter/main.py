import os
import signal

import requests
from library import start_library

signal.alarm(120)


class Visitor:
    def __init__(self, address):
        self.address = address
        self.session = requests.Session()

    def titles(self):
        answer = self.session.get(self.address + "/catalogue", stream=True)
        return answer.iter_lines()

    def look_up(self, title):
        return self.session.get(self.address + "/book/" + title).text

    def shelves(self):
        return [self.look_up(title.decode()[:4]) for title in self.titles()]


if __name__ == "__main__":
    visitor = Visitor(start_library())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    visitor.shelves()
