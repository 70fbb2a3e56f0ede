import multiprocessing
import os
import threading

CHUNK = 8
ROOM = 4


class Yard:
    def __init__(self, room):
        self.permits = threading.Semaphore(room)
        self.weight = 0
        self.sorted = 0

    def crates(self, count):
        for number in range(count):
            self.permits.acquire()
            yield number, [number % 7, number % 5, number % 3]

    def clear(self, number, fruit):
        self.sorted += 1
        self.weight += sum(fruit)
        self.permits.release()


def sort_crate(crate):
    number, fruit = crate
    return number, sorted(fruit)


def sort_all(pool, yard, count):
    for number, fruit in pool.imap(sort_crate, yard.crates(count), chunksize=CHUNK):
        yard.clear(number, fruit)
    return yard.weight


def main():
    context = multiprocessing.get_context("fork")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    with context.Pool(2) as pool:
        while True:
            sort_all(pool, Yard(ROOM), 400)


if __name__ == "__main__":
    main()
