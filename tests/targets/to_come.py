"""Waits that end later on, by what is on no stack yet: ``to_come.py NAME``."""

import asyncio
import multiprocessing
import signal
import sys
import threading
import time

from ready import ready


class Order:
    """What a customer waits for."""

    def __init__(self):
        self.served = threading.Event()

    def serve(self):
        self.served.set()


class Kitchen:
    """Cooks whatever has been ordered, all at once."""

    def __init__(self):
        self.orders = []

    def take(self):
        order = Order()
        self.orders.append(order)
        order.served.wait()

    def cook(self):
        time.sleep(50)
        for order in list(self.orders):
            order.serve()


def by_name():
    kitchen = Kitchen()
    threading.Thread(target=kitchen.cook, name="cook", daemon=True).start()
    customer = threading.Thread(target=kitchen.take, name="customer", daemon=True)
    customer.start()
    ready()
    customer.join()


class Parcel:
    """Goes off once its time has come."""

    def __init__(self):
        self.sent = asyncio.get_running_loop().create_future()

    def send(self):
        self.sent.set_result(None)


async def pack():
    parcel = Parcel()
    loop = asyncio.get_running_loop()
    loop.call_later(50, parcel.send)
    loop.call_later(0.1, ready)
    await parcel.sent


def by_timer():
    asyncio.run(pack())


class Dryer(threading.Thread):
    """Dries one thing, and has the loop told."""

    def __init__(self, loop, dried):
        super().__init__(name="dryer", daemon=True)
        self.loop, self.item = loop, (dried, "plate")

    def report(self, dried, what):
        dried.set_result(what)

    def run(self):
        dried, what = self.item
        time.sleep(50)
        self.loop.call_soon_threadsafe(self.report, dried, what)


async def dry():
    loop = asyncio.get_running_loop()
    dried = loop.create_future()
    Dryer(loop, dried).start()
    loop.call_later(0.1, ready)
    await dried


def by_thread():
    asyncio.run(dry())


class Rotator(threading.Thread):
    """Begins a new file whenever it is told to."""

    def __init__(self):
        super().__init__(name="rotator")
        self.told = threading.Event()

    def tell(self, *_):
        self.told.set()

    def run(self):
        while True:
            self.told.wait()
            self.told.clear()


def by_signal():
    rotator = Rotator()
    signal.signal(signal.SIGUSR1, rotator.tell)
    rotator.start()
    ready()
    rotator.join()


def fill(out):
    for _ in range(6):  # in all queues, and in hand
        out.put("row")
    ready()
    while True:
        out.put("row")


def pass_on(source, out):
    while True:
        out.put(source.get())


def store(source):
    while True:
        source.get()
        time.sleep(30)


def by_stages():
    raw, clean = multiprocessing.Queue(2), multiprocessing.Queue(2)
    stages = [
        multiprocessing.Process(target=pass_on, args=(raw, clean), name="pass_on"),
        multiprocessing.Process(target=store, args=(clean,), name="store"),
    ]
    for stage in stages:
        stage.daemon = True
        stage.start()
    fill(raw)


{
    "name": by_name,
    "timer": by_timer,
    "thread": by_thread,
    "signal": by_signal,
    "stages": by_stages,
}[sys.argv[1]]()
