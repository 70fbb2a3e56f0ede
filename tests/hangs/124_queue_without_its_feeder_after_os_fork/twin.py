import multiprocessing
import os
import signal
import time

signal.alarm(120)


def measure(results, orders):
    signal.alarm(120)
    while orders.get() != "stop":
        time.sleep(0.05)
        results.put("measured")


def collect(results):
    return results.get()


def run_station():
    results, orders = multiprocessing.Queue(), multiprocessing.Queue()
    multiprocessing.Process(target=measure, args=(results, orders), daemon=True).start()
    while True:
        orders.put("measure")
        collect(results)


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    print("MARK main pid=%d" % os.getpid())
    run_station()
