import threading
import time


class Porter:
    def __init__(self, reactor):
        self.reactor = reactor
        self.shelved = 0
        self.empty = threading.Event()

    def take_in(self, vanload):
        self.empty.clear()
        for parcel in range(vanload):
            self.reactor.call(self.shelve, parcel)
        self.reactor.call(self.empty.set)

    def shelve(self, parcel):
        self.shelved += 1


class Gatekeeper(threading.Thread):
    def __init__(self, porter):
        super().__init__(name="gatekeeper", daemon=True)
        self.porter = porter
        self.counted = 0

    def run(self):
        while True:
            time.sleep(0.4)
            self.counted = self.porter.shelved


def receive(reactor, porter, vans):
    while True:
        for van in vans:
            porter.empty.clear()
            reactor.call(porter.take_in, van)
            porter.empty.wait()
            time.sleep(0.05)
