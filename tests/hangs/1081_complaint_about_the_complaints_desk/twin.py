import logging
import os
import threading

LIMIT = 5
OUTSIDE = True

log = logging.getLogger("desk")


class Desk(logging.Handler):
    def __init__(self, limit):
        super().__init__()
        self.limit = limit
        self.waiting = []
        self.sent = 0
        self.state = threading.Lock()

    def createLock(self):
        self.lock = None

    def emit(self, record):
        with self.state:
            self.waiting.append(record.getMessage())
            full = len(self.waiting) >= self.limit
            if full:
                parcel, self.waiting = self.waiting, []
                if not OUTSIDE:
                    self.post(parcel)
        if full and OUTSIDE:
            self.post(parcel)

    def post(self, parcel):
        self.sent += len(parcel)
        log.debug("sent %d complaints", self.sent)


class Counter:
    def __init__(self, name):
        self.name = name

    def hear(self, customer):
        log.info("%s: %s is not content", self.name, customer)


def morning(counter):
    for customer in ["Ada", "Ben", "Cleo", "Dov"]:
        counter.hear(customer)


def main():
    log.setLevel(logging.DEBUG)
    log.propagate = False
    log.addHandler(Desk(LIMIT))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        morning(Counter("north"))


if __name__ == "__main__":
    main()
