import os
import queue
import signal
import threading
import time

from dogpile.cache import make_region

signal.alarm(120)

RATES = {"usd": 1.08, "chf": 0.93}


class Clerk:
    def __init__(self):
        self.tray = queue.Queue()
        threading.Thread(target=self.work, name="clerk").start()

    def work(self):
        while True:
            region, key, creator, mutex = self.tray.get()
            try:
                region.set(key, creator())
            finally:
                mutex.release()

    def renew(self, region, key, creator, mutex):
        self.tray.put((region, key, creator, mutex))


clerk = Clerk()
region = make_region(async_creation_runner=clerk.renew).configure(
    "dogpile.cache.memory", expiration_time=0.2
)


def load_rate(currency):
    return RATES[currency]


def rate(currency):
    return region.get_or_create(currency, lambda: load_rate(currency))


def convert(amounts):
    return {currency: amount * rate(currency) for currency, amount in amounts.items()}


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    convert({"chf": 10, "usd": 10})
    while True:
        time.sleep(0.02)
        convert({"chf": 20, "usd": 20})
