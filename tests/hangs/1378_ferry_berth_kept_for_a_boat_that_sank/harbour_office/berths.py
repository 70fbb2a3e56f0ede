import threading
from multiprocessing.managers import BaseManager


class Berths:
    def __init__(self, names):
        self.free = list(names)
        self.taken = {}
        self.changed = threading.Condition()

    def moor(self, boat):
        with self.changed:
            while not self.free:
                self.changed.wait()
            berth = self.free.pop()
            self.taken[berth] = boat
            return berth

    def cast_off(self, berth):
        with self.changed:
            del self.taken[berth]
            self.free.append(berth)
            self.changed.notify()

    def list_taken(self):
        return dict(self.taken)


class Office(BaseManager):
    pass


Office.register("Berths", Berths)
