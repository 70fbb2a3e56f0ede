import os
import signal
import threading
import time

from fakeredis import FakeStrictRedis
from rq import Queue, SimpleWorker
from rq.timeouts import TimerDeathPenalty

from cakes import bake, ice

signal.alarm(120)


class Baker(SimpleWorker):
    death_penalty_class = TimerDeathPenalty

    def _install_signal_handlers(self):
        pass


class Shop:
    def __init__(self):
        self.connection = FakeStrictRedis()
        self.orders = Queue("cakes", connection=self.connection)

    def open(self):
        baker = Baker([self.orders], connection=self.connection)
        baker.work(logging_level="ERROR")

    def order(self, minutes, colour):
        baked = self.orders.enqueue(bake, minutes)
        iced = self.orders.enqueue(ice, colour, depends_on=baked)
        while not iced.is_finished and not iced.is_failed:
            time.sleep(0.1)
        return iced.return_value()


if __name__ == "__main__":
    shop = Shop()
    threading.Thread(target=shop.open, name="baker", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        shop.order(30, "white")
        shop.order(35, "blue")
