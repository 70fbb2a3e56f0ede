import multiprocessing
import threading
import time


def cut(stone):
    edge = stone
    for _stroke in range(500):
        edge = (edge * 17 + 11) % 9973
    return stone, edge


class Yard:
    def __init__(self, places):
        self.places = threading.Semaphore(places)
        self.delivered = 0

    def stones(self):
        number = 0
        while True:
            self.places.acquire()
            number += 1
            yield number

    def carry_off(self):
        self.places.release()
        self.delivered += 1


class Quarry:
    def __init__(self, yard, dozen):
        self.yard = yard
        self.dozen = dozen
        self.edges = []

    def work(self, cutters):
        with multiprocessing.Pool(cutters) as pool:
            for _stone, edge in pool.imap(cut, self.yard.stones(), chunksize=self.dozen):
                self.edges.append(edge)
                del self.edges[:-100]
                self.yard.carry_off()


class Foreman(threading.Thread):
    def __init__(self, yard):
        super().__init__(name="foreman", daemon=True)
        self.yard = yard
        self.seen = 0

    def run(self):
        while True:
            self.seen = self.yard.delivered
            time.sleep(0.5)
