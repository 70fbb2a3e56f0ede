import os
import signal
import threading

from celery.result import AsyncResult
from shop import app, open_shop, quote

signal.alarm(120)


class Quotes:
    def __init__(self):
        self.answers = {}

    def order(self, weight):
        return quote.delay(weight).id

    def collect(self, number):
        self.answers[number] = AsyncResult(number, app=app).get()


if __name__ == "__main__":
    quotes = Quotes()
    with open_shop():
        number = quotes.order(7)
        collector = threading.Thread(target=quotes.collect, args=(number,), name="collector")
        collector.start()
        print("MARK main pid=%d" % os.getpid(), flush=True)
        collector.join()
