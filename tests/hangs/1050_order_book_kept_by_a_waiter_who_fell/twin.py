from gevent import monkey

monkey.patch_all()

import os

import gevent
from gevent.lock import RLock

STRANGE_GUEST = ("table", 4)


class Inn:
    def __init__(self):
        self.book = RLock()
        self.orders = {}

    def note(self, guest, dish):
        self.book.acquire()
        gevent.sleep(0.01)
        if guest not in self.orders:
            self.orders[guest] = []
        self.orders[guest].append(dish)
        self.book.release()

    def serve(self, guest):
        self.note(guest, "soup")
        gevent.sleep(0.02)
        self.note(guest, "bread")

    def settle(self):
        self.book.acquire()
        bill = {guest: len(dishes) for guest, dishes in self.orders.items()}
        self.book.release()
        return bill


def play_music():
    while True:
        gevent.sleep(0.5)


def evening(inn):
    waiters = [gevent.spawn(inn.serve, guest) for guest in ("Ida", "Otto")]
    gevent.joinall(waiters)
    gevent.spawn(inn.serve, STRANGE_GUEST).join()
    return inn.settle()


def main():
    inn = Inn()
    gevent.spawn(play_music)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        evening(inn)
        gevent.sleep(0.05)


if __name__ == "__main__":
    main()
