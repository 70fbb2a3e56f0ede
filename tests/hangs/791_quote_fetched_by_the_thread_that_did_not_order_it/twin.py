import os
import signal
import threading
import time

from shop import open_shop, quote

signal.alarm(120)


class Quotes:
    def __init__(self):
        self.answers = {}

    def collect(self, weight):
        while True:
            result = quote.delay(weight)
            self.answers[result.id] = result.get()
            time.sleep(0.1)


if __name__ == "__main__":
    quotes = Quotes()
    with open_shop():
        collector = threading.Thread(target=quotes.collect, args=(7,), name="collector")
        collector.start()
        print("MARK main pid=%d" % os.getpid(), flush=True)
        collector.join()
