import queue
import threading
import time


class Guide(threading.Thread):
    def __init__(self, name, house, parties):
        super().__init__(name=name, daemon=True)
        self.house = house
        self.parties = parties
        self.led = 0
        self.refused = []

    def lead(self, names, guests):
        tour = self.house.book(names, guests)
        try:
            time.sleep(0.05)
            self.led += 1
        finally:
            tour.close()

    def run(self):
        while True:
            names, guests = self.parties.get()
            try:
                self.lead(names, guests)
            except ValueError as error:
                self.refused.append(str(error))
            finally:
                self.parties.task_done()


class Attendant(threading.Thread):
    def __init__(self, guides):
        super().__init__(name="attendant", daemon=True)
        self.guides = guides
        self.seen = 0

    def run(self):
        while True:
            self.seen = sum(guide.led for guide in self.guides)
            time.sleep(0.5)


def day(house, names, parties):
    waiting = queue.Queue()
    for party in parties:
        waiting.put(party)
    guides = [Guide(name, house, waiting) for name in names]
    for guide in guides:
        guide.start()
    Attendant(guides).start()
    return waiting
