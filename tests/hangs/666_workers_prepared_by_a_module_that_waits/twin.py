import multiprocessing
import os
import signal
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
os.environ["PYTHONPATH"] = sys.path[0]

os.environ["RATES_CLIENTS"] = "100000"

import rates

signal.alarm(120)


def convert(amount, currency, results):
    results.put(amount * rates.RATES[currency])


def convert_all(amounts):
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["rates"])
    results = context.Queue()
    workers = [context.Process(target=convert, args=(one, "sek", results)) for one in amounts]
    for worker in workers:
        worker.start()
    return [results.get() for _ in workers]


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        convert_all([10, 20])
