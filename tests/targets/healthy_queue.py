"""Producers and consumers over one bounded queue: nothing is wrong."""

import queue
import threading

from ready import ready

jobs = queue.Queue(maxsize=4)
totals_lock = threading.Lock()
totals = {}


def produce():
    number = 0
    while True:
        jobs.put(number)
        number += 1


def consume(name):
    while True:
        number = jobs.get()
        with totals_lock:
            totals[name] = totals.get(name, 0) + number
        jobs.task_done()


if __name__ == "__main__":
    for number in range(3):
        threading.Thread(target=produce, name="producer-%d" % number, daemon=True).start()
    for number in range(3):
        name = "consumer-%d" % number
        threading.Thread(target=consume, args=(name,), name=name, daemon=True).start()
    ready()
    threading.Event().wait()
