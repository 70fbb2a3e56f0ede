import itertools
import os
import threading
import time

from counting import Granary


class Mill:
    def __init__(self):
        self.granary = Granary()
        self.reports = []

    def deliver(self):
        for sack in itertools.count(100):
            self.granary.store(sack)
            time.sleep(0.01)
            if sack % 50 == 0:
                time.sleep(0.2)

    def watch(self):
        while True:
            time.sleep(1)

    def run(self, outside):
        self.granary.sample(range(2))
        threading.Thread(target=self.watch, name="watch", daemon=True).start()
        threading.Thread(target=self.deliver, name="deliver", daemon=True).start()
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while True:
            self.reports.append(self.granary.close_book(range(60), outside))
            time.sleep(0.1)
