import os
import signal
import time

from django.core.files import locks

from book import Book

signal.alarm(120)


class CalmBook(Book):
    def sign(self, name):
        with open(self.path, "a") as page:
            locks.lock(page, locks.LOCK_EX)
            page.write(name + "\n")
            time.sleep(0.05)
        return self.count()


def open_museum():
    book = CalmBook()
    while True:
        book.sign("Edith")
        time.sleep(0.1)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    open_museum()
