import itertools
import os
import queue
import threading
import time

from fares.gateway import build

SHARED = False
JOURNEYS = [("coast", "city"), ("hill",), ("city", "hill", "coast")]


class Desk(threading.Thread):
    def __init__(self, pricer, inbox):
        super().__init__(name="fare-desk", daemon=True)
        self.pricer = pricer
        self.inbox = inbox
        self.takings = 0

    def run(self):
        while True:
            journey = self.inbox.get()
            self.takings += self.pricer.price(journey)


class Clock(threading.Thread):
    def __init__(self):
        super().__init__(name="station-clock", daemon=True)
        self.minute = 0

    def run(self):
        while True:
            time.sleep(0.5)
            self.minute = (self.minute + 1) % 1440


class Kiosk:
    def __init__(self, inbox):
        self.inbox = inbox
        self.sold = 0

    def serve(self):
        for journey in itertools.cycle(JOURNEYS):
            self.inbox.put(journey)
            self.sold += 1
            time.sleep(0.4)


def main():
    inbox = queue.Queue()
    Desk(build(SHARED), inbox).start()
    Clock().start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Kiosk(inbox).serve()


if __name__ == "__main__":
    main()
