import threading
import time
from multiprocessing.pool import ThreadPool


class Loaf:
    def __init__(self, number):
        self.number = number
        self.weight = 500 - number % 7

    def bake(self, burns):
        time.sleep(0.02)
        if self.number % 10 in burns:
            raise ValueError("burnt %d" % self.number)
        return self.weight


class Oven:
    """No more loaves under way than there are trays."""

    def __init__(self, bakers, trays, burns):
        self.pool = ThreadPool(bakers)
        self.trays = threading.Semaphore(trays)
        self.burns = burns
        self.burnt = 0

    def feed(self, loaves):
        for loaf in loaves:
            self.trays.acquire()
            yield loaf

    def baked(self, loaves):
        results = self.pool.imap(self._bake, self.feed(loaves))
        while True:
            try:
                weight = next(results)
            except StopIteration:
                return
            except ValueError:
                self.burnt += 1
                continue
            self.trays.release()
            yield weight

    def _bake(self, loaf):
        return loaf.bake(self.burns)
