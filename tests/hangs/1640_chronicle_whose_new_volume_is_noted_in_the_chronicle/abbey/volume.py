class Volume:
    """A file that begins anew when it is full."""

    def __init__(self, stem, pages):
        self.stem = stem
        self.pages = pages
        self.number = 1
        self.written = 0
        self.file = open(self.stem, "w")
        self.log = None

    def turn(self):
        self.file.seek(0)
        self.file.truncate()
        self.number += 1
        self.written = 0
        self.log.info("begun", volume=self.number)

    def write(self, text):
        if self.written >= self.pages:
            self.turn()
        self.written += 1
        return self.file.write(text)

    def flush(self):
        self.file.flush()
