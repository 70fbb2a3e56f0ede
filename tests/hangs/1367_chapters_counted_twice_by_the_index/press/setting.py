import queue
import threading
import time

from press.latch import Latch


class Setter(threading.Thread):
    """Sets the chapters that lie in the tray, each only once."""

    def __init__(self, name, tray, proofs):
        super().__init__(name=name, daemon=True)
        self.tray = tray
        self.proofs = proofs

    def compose(self, chapter, latch):
        time.sleep(0.05)
        self.proofs[chapter] = len(chapter)
        latch.arrive()

    def run(self):
        while True:
            self.compose(*self.tray.get())


class Editor(threading.Thread):
    def __init__(self, tray, books, proofs):
        super().__init__(name="editor")
        self.tray = tray
        self.books = books
        self.proofs = proofs
        self.issued = []

    def issue(self, book):
        latch = Latch(len(book))
        for chapter in sorted(set(book)):
            self.tray.put((chapter, latch))
        latch.rest()
        self.issued.append(len(book))

    def run(self):
        for book in self.books:
            self.issue(book)


class Typist(threading.Thread):
    def __init__(self):
        super().__init__(name="typist", daemon=True)
        self.pages = 0

    def run(self):
        while True:
            self.pages += 1
            time.sleep(0.3)


def house(books, setters):
    tray, proofs = queue.Queue(), {}
    for name in setters:
        Setter(name, tray, proofs).start()
    Typist().start()
    return Editor(tray, books, proofs)
