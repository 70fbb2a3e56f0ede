import logging
import multiprocessing
import os
import threading
import time

import multiprocessing_logging

ENTRIES = 20
LOG = logging.getLogger("shift")


class Diary(logging.Handler):
    def __init__(self, shift):
        super().__init__()
        self.shift = shift
        self.entries = []

    def emit(self, record):
        with self.shift.lock:
            self.entries.append((self.shift.number, record.getMessage()))
            del self.entries[:-100]


def count_stock(shift):
    for number in range(ENTRIES):
        LOG.info("shelf %d of shift %d counted: %s", number, shift, "x" * 100)


class Shift:
    def __init__(self):
        self.lock = threading.Lock()
        self.number = 0

    def run_shift(self):
        with self.lock:
            worker = multiprocessing.Process(target=count_stock, args=(self.number,))
            worker.start()
            worker.join()
            self.number += 1


def main():
    multiprocessing.set_start_method("fork")
    shift = Shift()
    LOG.setLevel(logging.INFO)
    LOG.addHandler(Diary(shift))
    LOG.propagate = False
    multiprocessing_logging.install_mp_handler(LOG)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        shift.run_shift()
        time.sleep(0.1)


if __name__ == "__main__":
    main()
