import itertools
import queue
import threading
import time

from archive.gate import Gate


class Files:
    def __init__(self):
        self.gate = Gate()
        self.cards = {}

    def card(self, name, look):
        with self.gate.reading():
            time.sleep(look)
            found = self.cards.get(name)
            if found is None:
                with self.gate.writing_now():
                    found = self.cards[name] = {"name": name, "asked": 0}
                    while len(self.cards) > 50:
                        self.cards.pop(next(iter(self.cards)))
            return found


class Clerk(threading.Thread):
    def __init__(self, number, files, slips, found):
        super().__init__(name="clerk-%d" % number, daemon=True)
        self.files = files
        self.slips = slips
        self.found = found

    def run(self):
        while True:
            self.found.put(self.files.card(self.slips.get(), 0.02))


class Dust(threading.Thread):
    def __init__(self):
        super().__init__(name="dust", daemon=True)
        self.grams = 0

    def run(self):
        while True:
            time.sleep(0.3)
            self.grams += 1


def reading_room(clerks):
    slips, found = queue.Queue(), queue.Queue()
    files = Files()
    Dust().start()
    for number in range(clerks):
        Clerk(number, files, slips, found).start()
    for page in itertools.count():
        for name in ("A%d" % page, "B%d" % page, "A%d" % page):
            slips.put(name)
        for _ in range(3):
            found.get()
