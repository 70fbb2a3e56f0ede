import multiprocessing
import os
import signal
import tempfile
import time

import persistqueue

signal.alarm(120)


def accept_orders(folder):
    jobs = persistqueue.Queue(folder)
    for number in range(1000):
        time.sleep(0.5)
        jobs.put(number)


def ship_next_order(jobs):
    order = jobs.get()
    jobs.task_done()
    return order


if __name__ == "__main__":
    folder = tempfile.mkdtemp(prefix="orders-")
    jobs = persistqueue.Queue(folder)
    shop = multiprocessing.Process(target=accept_orders, args=(folder,), daemon=True)
    shop.start()
    print("MARK main pid=%d" % os.getpid())
    while True:
        ship_next_order(jobs)
