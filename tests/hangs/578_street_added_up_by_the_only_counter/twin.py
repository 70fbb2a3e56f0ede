import os
import signal
from concurrent.futures import ThreadPoolExecutor

import dask

signal.alarm(120)
HOUSES = {"mill": (3, 4, 2), "dike": (6, 1), "bridge": (2, 2, 5)}


@dask.delayed
def people(street, number):
    return HOUSES[street][number]


@dask.delayed
def street_total(street):
    houses = [people(street, number) for number in range(len(HOUSES[street]))]
    return sum(dask.compute(*houses, scheduler="synchronous"))


class Census:
    def __init__(self, counters):
        self.counters = ThreadPoolExecutor(counters, thread_name_prefix="counter")

    def town_total(self):
        with dask.config.set(pool=self.counters):
            return sum(dask.compute(*[street_total(street) for street in HOUSES]))


if __name__ == "__main__":
    census = Census(2)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        census.town_total()
