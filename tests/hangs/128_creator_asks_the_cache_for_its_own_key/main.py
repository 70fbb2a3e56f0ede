import os
import signal

from dogpile.cache import make_region

signal.alarm(120)
region = make_region().configure("dogpile.cache.memory")


def load_rates():
    return {"EUR": 1, "USD": convert("USD")}


def rates():
    return region.get_or_create("rates", load_rates)


def convert(currency):
    return rates()[currency]


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    convert("EUR")
