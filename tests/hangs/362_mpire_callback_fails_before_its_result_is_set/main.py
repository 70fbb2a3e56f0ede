import os
import signal

from mpire import WorkerPool

signal.alarm(120)

shelves = {"north": [], "south": []}


def measure_box(number):
    return ("north", "south", "east")[number % 3], number * 2


def put_on_shelf(result):
    side, width = result
    shelves[side].append(width)


def fill_shelves(pool, boxes):
    jobs = [pool.apply_async(measure_box, number, callback=put_on_shelf) for number in range(boxes)]
    return [job.get() for job in jobs]


if __name__ == "__main__":
    with WorkerPool(n_jobs=2) as pool:
        print("MARK main pid=%d" % os.getpid())
        print(len(fill_shelves(pool, 6)))
