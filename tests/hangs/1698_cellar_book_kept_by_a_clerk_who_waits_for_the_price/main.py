import os
import tempfile
import threading
import time

from cellar.books import Book, Clerk

LOCKED = True


class Thermometer(threading.Thread):
    def __init__(self):
        super().__init__(name="thermometer", daemon=True)
        self.degrees = 11

    def run(self):
        while True:
            time.sleep(0.4)
            self.degrees = 10 + (self.degrees + 1) % 4


class Steward:
    def __init__(self, clerk):
        self.clerk = clerk
        self.noted = 0

    def evening(self):
        while True:
            self.clerk.note("bottle-%d" % (self.noted % 40))
            self.noted += 1
            time.sleep(0.3)


def main():
    folder = tempfile.mkdtemp()
    book = Book(os.path.join(folder, "cellar.txt"), LOCKED)
    Thermometer().start()
    steward = Steward(Clerk(book))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    steward.evening()


if __name__ == "__main__":
    main()
