import multiprocessing
import threading
import time
from concurrent.futures import ProcessPoolExecutor

GATE = None


def stand_ready(gate):
    global GATE
    GATE = gate
    gate.wait()


def grind(sack):
    total = 0
    for grain in range(sack * 2000):
        total = (total * 31 + grain) % 65521
    return total


class Wheel(threading.Thread):
    def __init__(self):
        super().__init__(name="wheel", daemon=True)
        self.turns = 0

    def run(self):
        while True:
            self.turns += 1
            time.sleep(0.5)


class Mill:
    def __init__(self, stones, parties):
        context = multiprocessing.get_context("spawn")
        self.pool = ProcessPoolExecutor(
            max_workers=stones,
            mp_context=context,
            initializer=stand_ready,
            initargs=(context.Barrier(parties),),
        )
        self.flour = {}

    def first_sack(self):
        self.flour[1] = self.pool.submit(grind, 1).result()

    def day(self):
        sacks = 2
        while True:
            for sack, flour in enumerate(self.pool.map(grind, range(1, sacks))):
                self.flour[sack] = flour
            sacks = 2 + sacks % 6
            time.sleep(0.05)
