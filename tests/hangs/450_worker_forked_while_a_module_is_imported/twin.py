import multiprocessing
import os
import signal
import sys
import threading
import time

signal.alarm(120)
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


def warm_up():
    import rates

    return rates.RATE


def convert(amount, results):
    import rates

    results.put(amount * rates.RATE)


def convert_all(amounts):
    context = multiprocessing.get_context("fork")
    results = context.SimpleQueue()
    workers = [context.Process(target=convert, args=(one, results)) for one in amounts]
    for worker in workers:
        worker.start()
    return sum(results.get() for _ in workers)


if __name__ == "__main__":
    warming = threading.Thread(target=warm_up, name="warm-up")
    warming.start()
    warming.join()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        convert_all([10, 20])
        time.sleep(0.05)
