import collections
import multiprocessing
import os
import tempfile
import threading
import time

import zmq

FOLDER = tempfile.mkdtemp(prefix="press-")
NEWS, ARCHIVE, ORDERS = ("ipc://%s/%s" % (FOLDER, name) for name in ("news", "archive", "orders"))


class Press:
    """Publishes which pages are in the cache; keeps the latest for who missed some."""

    def __init__(self, kept):
        context = zmq.Context.instance()
        self.news = context.socket(zmq.PUB)
        self.news.bind(NEWS)
        self.archive = context.socket(zmq.ROUTER)
        self.archive.bind(ARCHIVE)
        self.kept = collections.deque(maxlen=kept)
        self.number = 0

    def print_page(self):
        self.number += 1
        self.kept.append(self.number)
        if self.number % 50 not in (40, 41, 42):
            self.news.send_pyobj(self.number)

    def answer_archive(self):
        while self.archive.poll(2):
            reader, _, first = self.archive.recv_multipart()
            for number in list(self.kept):
                if number >= int(first):
                    self.archive.send_multipart([reader, b"", b"%d" % number])

    def run(self):
        while True:
            self.print_page()
            self.answer_archive()
            time.sleep(0.003)


class Reader:
    """Follows the pages, without a gap."""

    def __init__(self, orders):
        context = zmq.Context.instance()
        self.news = context.socket(zmq.SUB)
        self.news.subscribe(b"")
        self.news.connect(NEWS)
        self.archive = context.socket(zmq.DEALER)
        self.archive.connect(ARCHIVE)
        self.orders = orders
        self.seen = None

    def fetch_missing(self, first, last):
        self.archive.send_multipart([b"", b"%d" % first])
        missing = set(range(first, last))
        while missing:
            _, number = self.archive.recv_multipart()
            missing.discard(int(number))

    def follow(self):
        while True:
            number = self.news.recv_pyobj()
            if self.seen is not None and number > self.seen + 1:
                self.fetch_missing(self.seen + 1, number)
            self.seen = number
            self.orders.put(number)


def run_press():
    Press(KEPT).run()


def run_reader(orders):
    Reader(orders).follow()


class Router:
    def __init__(self, orders):
        self.orders = orders
        self.pages = {}
        self.turn = threading.Lock()

    def route(self):
        with self.turn:
            number = self.orders.get()
            self.pages[number % 100] = number
        return number


def main():
    context = multiprocessing.get_context("fork")
    orders = context.Queue()
    parts = [
        context.Process(target=run_press, name="press", daemon=True),
        context.Process(target=run_reader, args=(orders,), name="reader", daemon=True),
    ]
    for part in parts:
        part.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    router = Router(orders)
    while True:
        router.route()


KEPT = 1


if __name__ == "__main__":
    main()
