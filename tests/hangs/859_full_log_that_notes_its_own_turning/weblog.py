import logging
import os
import tempfile
import threading


class TurningHandler(logging.Handler):
    def __init__(self, limit, notice):
        super().__init__()
        self.folder = tempfile.mkdtemp()
        self.limit = limit
        self.notice = notice
        self.number = 0
        self.file = None

    def createLock(self):
        self.lock = threading.Lock()

    def open_next(self):
        if self.file:
            self.file.close()
        self.number += 1
        self.file = open(os.path.join(self.folder, f"build.{self.number % 5}.log"), "w")

    def turn(self):
        self.open_next()
        self.notice.info("log %d begun in %s", self.number, self.folder)

    def emit(self, record):
        line = self.format(record)
        if self.file is None:
            self.open_next()
        elif self.file.tell() + len(line) > self.limit:
            self.turn()
        self.file.write(line + "\n")
