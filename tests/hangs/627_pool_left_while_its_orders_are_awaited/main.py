import multiprocessing
import os
import queue
import signal

signal.alarm(120)


def price(order):
    if order < 0:
        raise ValueError(order)
    return order * 3


class Counter:
    def __init__(self, orders):
        self.incoming = queue.Queue()
        for order in orders:
            self.incoming.put(order)

    def orders(self):
        while (order := self.incoming.get()) is not None:
            yield order

    def close(self):
        self.incoming.put(None)


def sell(counter):
    total = 0
    with multiprocessing.Pool(2) as pool:
        for amount in pool.imap(price, counter.orders()):
            total += amount
    return total


def open_shop(orders):
    counter = Counter(orders)
    try:
        return sell(counter)
    except ValueError as error:
        print("not for sale:", error, flush=True)
    finally:
        counter.close()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    open_shop([4, 7, -1])
