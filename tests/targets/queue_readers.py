"""Worker processes that take what they do out of one queue, while there is nothing to do."""

import multiprocessing
import time

from ready import ready


def work(orders, done):
    while True:
        done.put(orders.get() * 2)


def main():
    orders, done = multiprocessing.Queue(), multiprocessing.Queue()
    workers = [multiprocessing.Process(target=work, args=(orders, done)) for _ in range(3)]
    for worker in workers:
        worker.daemon = True
        worker.start()
    for number in range(10):
        orders.put(number)
    for _ in range(10):
        done.get()
    time.sleep(0.3)
    ready()
    time.sleep(100)


if __name__ == "__main__":
    main()
