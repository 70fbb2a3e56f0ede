import threading
import time


class Diarist(threading.Thread):
    def __init__(self, name, batcher, entries, pace):
        super().__init__(name=name)
        self.batcher = batcher
        self.entries = entries
        self.pace = pace
        self.kept = 0

    def keep(self, entry):
        ticket = self.batcher.add("%s: %s" % (self.name, entry))
        ticket.wait()
        self.kept += 1

    def run(self):
        for entry in range(self.entries):
            self.keep(entry)
            time.sleep(self.pace)


class Landlord(threading.Thread):
    """Asks for silence when he rotates the book."""

    def __init__(self, batcher, nights):
        super().__init__(name="landlord", daemon=True)
        self.batcher = batcher
        self.nights = nights
        self.books = 0

    def rotate(self):
        self.batcher.pause()
        self.books += 1

    def run(self):
        for night in self.nights:
            time.sleep(night)
            self.rotate()
        while True:
            time.sleep(1)
            self.books += 0
