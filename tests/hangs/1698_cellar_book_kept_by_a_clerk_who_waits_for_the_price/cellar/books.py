import os
import subprocess
import sys

import locket


class Book:
    def __init__(self, path, locked):
        self.path = path
        self.locked = locked
        open(path, "w").close()

    def last(self):
        with open(self.path) as lines:
            return len(lines.readlines())

    def price(self, bottle):
        if not self.locked:
            return 10 + len(bottle)
        with locket.lock_file(self.path + ".lock"):
            return 10 + self.last()


class Clerk:
    def __init__(self, book):
        here = os.path.join(os.path.dirname(__file__), "clerk.py")
        self.child = subprocess.Popen(
            [sys.executable, "-u", here, book.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            universal_newlines=True,
            bufsize=1,
        )
        self.book = book

    def tell(self, words):
        self.child.stdin.write(words + "\n")
        self.child.stdin.flush()

    def note(self, bottle):
        self.tell(bottle)
        self.child.stdout.readline()
        self.tell(str(self.book.price(bottle)))
        return self.child.stdout.readline()
