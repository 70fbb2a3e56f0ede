import multiprocessing
import os
import signal

signal.alarm(120)


def measure(results, orders):
    signal.alarm(120)
    results.put("measured")
    orders.get()


def collect(results):
    return results.get()


def run_station():
    results, orders = multiprocessing.Queue(), multiprocessing.Queue()
    results.put("started")
    print(collect(results))
    if not os.fork():
        measure(results, orders)
        os._exit(0)
    print(collect(results))
    orders.put("stop")
    os.wait()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    run_station()
