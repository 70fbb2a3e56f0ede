import time


class Line:
    """A stream of letters, with the manners of a bidirectional call."""

    def __init__(self):
        self.is_active = True
        self.number = 0

    def add_done_callback(self, callback):
        self.callback = callback

    def open(self):
        self.number = 0

    def recv(self):
        time.sleep(0.02)
        self.number += 1
        return "letter %d%s" % (self.number, "?" if self.number % 5 == 0 else "")

    def close(self):
        self.is_active = False
