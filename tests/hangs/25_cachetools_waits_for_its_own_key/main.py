import os
import signal
import threading

from cachetools import TTLCache, cached

signal.alarm(120)
FLAGS = {"verbose": True, "beta": False}


def write_log(text):
    if is_enabled("verbose"):
        print(text, end="")


def load_flag(name):
    write_log("")
    return FLAGS[name]


@cached(TTLCache(10, ttl=0.2), condition=threading.Condition())
def is_enabled(name):
    return load_flag(name)


def start_shop():
    return is_enabled("verbose")


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    start_shop()
