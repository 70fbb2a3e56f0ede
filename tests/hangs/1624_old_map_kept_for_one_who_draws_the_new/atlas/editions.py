import contextlib
import threading


class Editions:
    """Maps that are read without a lock: an old one is kept until its readers have gone."""

    def __init__(self, sheet):
        self.sheet = dict(sheet)
        self.number = 0
        self.readers = {0: 0}
        self.left = threading.Condition()
        self.press = threading.Lock()

    @contextlib.contextmanager
    def open(self):
        with self.left:
            number = self.number
            self.readers[number] += 1
        try:
            yield self.sheet
        finally:
            with self.left:
                self.readers[number] -= 1
                self.left.notify_all()

    def publish(self, changes):
        with self.press:
            sheet = dict(self.sheet)
            sheet.update(changes)
            with self.left:
                old, self.number = self.number, self.number + 1
                self.readers[self.number] = 0
                self.sheet = sheet
            self.outlive(old)

    def outlive(self, number):
        with self.left:
            self.left.wait_for(lambda: self.readers[number] == 0)
            del self.readers[number]
