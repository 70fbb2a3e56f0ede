import os
import re
import threading
import time

ADDRESS_LIST = re.compile(r"^(?:[\w.+-]+\s*,?\s*)+;$")
LAST = "nobody-in-particular-at-all-and-nobody-else"
LIMIT = 2.0


class Header:
    def __init__(self, name, value):
        self.name = name
        self.value = value
        self.valid = None


class HeaderCheck:
    def __init__(self, limit):
        self.limit = limit
        self.too_slow = 0

    def match_header(self, header):
        header.valid = ADDRESS_LIST.match(header.value) is not None

    def check(self, header):
        worker = threading.Thread(
            target=self.match_header, args=(header,), name="header-match", daemon=True
        )
        worker.start()
        worker.join(self.limit)
        if worker.is_alive():
            self.too_slow += 1


class Heartbeat(threading.Thread):
    def __init__(self):
        super().__init__(name="heartbeat", daemon=True)
        self.beats = 0

    def run(self):
        while True:
            self.beats += 1
            time.sleep(0.2)


def letters():
    number = 0
    while True:
        number += 1
        yield Header("To", "desk-%d, cellar, attic;" % number)
        if number % 10 == 0:
            yield Header("Cc", LAST)
        time.sleep(0.05)


def check_all():
    check = HeaderCheck(LIMIT)
    for header in letters():
        check.check(header)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Heartbeat().start()
    check_all()
