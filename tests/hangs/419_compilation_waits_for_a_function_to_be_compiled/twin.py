import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

from numba import njit
from numba.extending import overload

signal.alarm(120)
readers = ThreadPoolExecutor(2, "tariffs")


@njit
def scale(cents):
    return cents / 100


def load_tariff(zone):
    return scale(450 + 25 * zone)


def postage(weight):
    return readers.submit(load_tariff, 3).result() * weight


@overload(postage)
def compile_postage(weight):
    tariff = readers.submit(load_tariff, 3).result()

    def priced(weight):
        return tariff * weight

    return priced


@njit
def total_postage(weights):
    total = 0.0
    for weight in weights:
        total += postage(weight)
    return total


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    load_tariff(1)
    while True:
        print(total_postage((1.5, 2.0, 0.5)))
        time.sleep(0.1)
