import os
import signal
import time

from dogpile.cache import make_region

signal.alarm(120)
region = make_region().configure("dogpile.cache.memory")


def load_rates():
    time.sleep(0.05)
    return {"EUR": 1, "USD": 1.1}


def rates():
    return region.get_or_create("rates", load_rates)


def convert(currency):
    return rates()[currency]


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        convert("EUR")
        region.delete("rates")
        time.sleep(0.02)
