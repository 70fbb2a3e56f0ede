import io


class Board(io.TextIOBase):
    """Where the bar is drawn, with the sum of the day behind it."""

    def __init__(self, out, till, reads):
        self.out = out
        self.till = till
        self.reads = reads
        self.last = ""

    def isatty(self):
        return True

    def fileno(self):
        return self.out.fileno()

    def write(self, text):
        total = self.till.total() if self.reads else self.till.sum
        self.last = "%s %d" % (text[:40], total)
        return len(text)

    def flush(self):
        pass
