import logging
import logging.handlers
import os
import queue
import tempfile
import threading
import time

BIND_UNDER_LOCK = True
PAGE = 40


class LogBook:
    def __init__(self, folder):
        self.folder = folder
        self.bound = 0
        self.handler = logging.FileHandler(os.path.join(folder, "book"))
        self.handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        self.entries = queue.Queue()
        self.scribe = self.hire()

    def hire(self):
        scribe = logging.handlers.QueueListener(self.entries, self.handler)
        scribe.start()
        return scribe

    def bind(self):
        if not BIND_UNDER_LOCK:
            self.scribe.stop()
        with self.handler.lock:
            self.change_page()
        self.scribe = self.hire()

    def change_page(self):
        if BIND_UNDER_LOCK:
            self.scribe.stop()
        self.handler.close()
        self.bound += 1
        os.replace(self.handler.baseFilename, self.handler.baseFilename + ".old")
        self.handler.stream = self.handler._open()


class Ferry:
    def __init__(self, book):
        self.log = logging.getLogger("ferry")
        self.log.setLevel(logging.INFO)
        self.log.propagate = False
        self.log.addHandler(logging.handlers.QueueHandler(book.entries))

    def cross(self):
        number = 0
        while True:
            number += 1
            for _ in range(PAGE):
                self.log.info("crossing %d", number)
            time.sleep(0.002)


def main():
    book = LogBook(tempfile.mkdtemp())
    ferry = Ferry(book)
    threading.Thread(target=ferry.cross, name="ferry", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        time.sleep(0.1)
        book.bind()


if __name__ == "__main__":
    main()
