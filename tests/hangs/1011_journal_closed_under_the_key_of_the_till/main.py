import os
import threading
import time

import logbook
from logbook.queues import ThreadedWrapperHandler

LOUD = True


class SlipPrinter(logbook.Handler):
    def __init__(self, till):
        super().__init__(level=logbook.INFO)
        self.till = till

    def emit(self, record):
        time.sleep(0.05)
        with self.till.key:
            self.till.slips.append((self.till.takings, record.message))


class Till:
    def __init__(self):
        self.key = threading.Lock()
        self.takings = 0
        self.slips = []
        self.log = logbook.Logger("till")
        self.journal = ThreadedWrapperHandler(SlipPrinter(self))

    def sell(self, cents):
        with self.key:
            self.takings += cents
        self.log.info("sold for {} cents", cents)

    def close_day(self):
        with self.key:
            if LOUD:
                self.log.info("{} cents today", self.takings)
            self.journal.close()
            self.takings = 0


def keep_shop(till):
    with till.journal.applicationbound():
        for cents in (120, 240, 80):
            till.sell(cents)
            time.sleep(0.2)
        till.close_day()


def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        keep_shop(Till())


if __name__ == "__main__":
    main()
