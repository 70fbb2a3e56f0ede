import os
import signal
import threading
import time

import zmq

signal.alarm(120)


def send_prices(context, stop):
    speaker = context.socket(zmq.PUB)
    speaker.bind("inproc://prices")
    while not stop.is_set():
        speaker.send_string("rye 4.20")
        time.sleep(0.1)
    speaker.close()


class PriceBoard:
    def __init__(self, context):
        self.line = context.socket(zmq.SUB)
        self.line.connect("inproc://prices")
        self.line.subscribe("")
        self.prices = {}

    def next_price(self):
        goods, price = self.line.recv_string().split()
        self.prices[goods] = float(price)


def open_market(board):
    while len(board.prices) < 100:
        board.next_price()


if __name__ == "__main__":
    context = zmq.Context()
    stop = threading.Event()
    threading.Thread(target=send_prices, args=(context, stop), name="prices", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    open_market(PriceBoard(context))
    stop.set()
