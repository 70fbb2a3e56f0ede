import os

import gevent
from gevent.pool import Group

from accounts.books import pair


class Radiator:
    def __init__(self):
        self.degrees = 20

    def run(self):
        while True:
            self.degrees = 19 if self.degrees > 21 else self.degrees + 1
            gevent.sleep(0.3)


class Office:
    def __init__(self, both_first):
        self.books = pair(both_first)
        self.staff = Group()

    def close_month(self, amounts, pauses):
        warm = gevent.spawn(Radiator().run)
        for books, pause in zip(self.books, pauses):
            clerk = self.staff.spawn(books.month, amounts, pause)
            clerk.name = books.name
        print("MARK main pid=%d" % os.getpid(), flush=True)
        self.staff.join()
        warm.kill()
        return [books.disputed for books in self.books]
