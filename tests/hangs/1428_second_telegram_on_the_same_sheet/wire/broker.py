import os
import queue
import selectors
import socket
import subprocess
import sys
import threading
import time


class Ticker(threading.Thread):
    def __init__(self, listener, quotes):
        super().__init__(name="ticker", daemon=True)
        self.connection, _address = listener.accept()
        self.lines = self.connection.makefile("r")
        self.quotes = quotes
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.connection, selectors.EVENT_READ, self.read_quote)

    def read_quote(self):
        _word, metal, price = self.lines.readline().split()
        self.quotes.put((metal, int(price)))
        self.connection.sendall(b"noted\n")

    def run(self):
        while True:
            for key, _events in self.selector.select():
                key.data()


class Lamp(threading.Thread):
    def __init__(self):
        super().__init__(name="lamp", daemon=True)
        self.blinks = 0

    def run(self):
        while True:
            self.blinks += 1
            time.sleep(0.3)


class Book:
    def __init__(self, quotes):
        self.quotes = quotes
        self.last = {}

    def follow(self):
        metal, price = self.quotes.get()
        self.last[metal] = price


def trade(batch):
    listener = socket.create_server(("127.0.0.1", 0))
    port = str(listener.getsockname()[1])
    here = os.path.dirname(os.path.abspath(__file__))
    subprocess.Popen([sys.executable, os.path.join(here, "exchange.py"), port, str(batch)])
    quotes = queue.Queue()
    Ticker(listener, quotes).start()
    Lamp().start()
    book = Book(quotes)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        book.follow()
