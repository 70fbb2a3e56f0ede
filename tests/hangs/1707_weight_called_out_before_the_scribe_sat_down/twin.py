import os
import threading
import time

from wharf.scales import Book, Scales, Scribe

LATE = False


class Crane(threading.Thread):
    def __init__(self, book):
        super().__init__(name="crane", daemon=True)
        self.book = book
        self.loads = 0

    def run(self):
        while True:
            self.book.enter(40 + self.loads % 9)
            self.loads += 1
            time.sleep(0.2)


class Gulls(threading.Thread):
    def __init__(self):
        super().__init__(name="gulls", daemon=True)
        self.cries = 0

    def run(self):
        while True:
            time.sleep(0.4)
            self.cries += 1


def main():
    scribe = Scribe(LATE)
    Scales().register(scribe)
    scribe.start()
    crane = Crane(Book(scribe))
    Gulls().start()
    crane.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    crane.join()


if __name__ == "__main__":
    main()
