import gevent
from gevent.queue import JoinableQueue


class Depot:
    def __init__(self, patience):
        self.patience = patience
        self.parcels = JoinableQueue()
        self.lost = []

    def ring(self, door):
        gevent.sleep(door)

    def carry(self):
        while True:
            door = self.parcels.get()
            try:
                with gevent.Timeout(self.patience):
                    self.ring(door)
            except gevent.Timeout:
                self.lost.append(door)
            self.parcels.task_done()

    def deliver(self, doors):
        for door in doors:
            self.parcels.put(door)
        self.parcels.join()


def watch_clock():
    while True:
        gevent.sleep(60)
