import sys
import threading
import time


class Ledger:
    """Complaints that nobody could be told of, kept in order."""

    def __init__(self, size):
        self.size = size
        self.guard = threading.Lock()
        self.lines = []
        self.pages = []

    def install(self):
        sys.unraisablehook = self.take_down

    def take_down(self, trouble):
        with self.guard:
            self.lines.append("%s: %s" % (trouble.exc_type.__name__, trouble.exc_value))

    def turn_page(self):
        with self.guard:
            if len(self.pages) >= self.size:
                self.pages.pop(0)
            self.pages.append(Page(list(self.lines)))
            self.lines.clear()

    def count(self):
        with self.guard:
            return len(self.lines) + sum(len(page.lines) for page in self.pages)


class Page:
    def __init__(self, lines):
        self.lines = lines
        self.clip = Clip()

    def __del__(self):
        self.clip.open()


class Clip:
    strong = True

    def open(self):
        if not self.strong:
            raise OSError("the clip does not open")


class Porter(threading.Thread):
    def __init__(self, name, ledger):
        super().__init__(name=name, daemon=True)
        self.ledger = ledger
        self.seen = 0

    def run(self):
        while True:
            time.sleep(0.3)
            self.seen = self.ledger.count()


class Archivist(threading.Thread):
    def __init__(self, ledger):
        super().__init__(name="archivist", daemon=True)
        self.ledger = ledger

    def run(self):
        while True:
            time.sleep(0.25)
            self.ledger.turn_page()
