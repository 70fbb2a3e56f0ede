import multiprocessing
import os
import signal
import threading

signal.alarm(120)


def hash_chunk(number):
    return number, pow(7, number, 1009)


def limited(numbers, permits):
    for number in numbers:
        permits.acquire()
        yield number


def find_chunk(numbers, wanted):
    permits = threading.Semaphore(4)
    pool = multiprocessing.Pool(2)
    found = None
    for number, value in pool.imap(hash_chunk, limited(numbers, permits)):
        if value == wanted:
            found = number
            permits.release(500)
        permits.release()
    pool.close()
    pool.join()
    return found


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        find_chunk(range(500), pow(7, 12, 1009))
