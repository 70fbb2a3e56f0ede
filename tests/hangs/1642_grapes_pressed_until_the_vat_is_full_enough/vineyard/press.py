import itertools
import threading
import time
from multiprocessing.pool import ThreadPool


class Press:
    def __init__(self, places):
        self.places = threading.BoundedSemaphore(places)
        self.juice = 0

    def baskets(self):
        for number in itertools.count():
            self.places.acquire()
            yield number

    def squeeze(self, basket):
        time.sleep(0.01)
        return basket % 5

    def run(self, enough):
        with ThreadPool(3) as hands:
            for litres in hands.imap(self.squeeze, self.baskets()):
                self.juice += litres
                if self.juice >= enough:
                    time.sleep(0.3)
                    break
                self.places.release()
        return self.juice
