import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from stock import Session, fill_stock, read_price

signal.alarm(120)

both = threading.Barrier(2)


def price_with_tax(good):
    both.wait()
    price = read_price(good) * 1.2
    Session.remove()
    return price


def print_prices(clerks):
    for good, price in zip(("bread", "milk"), clerks.map(price_with_tax, ("bread", "milk"))):
        print(good, price)


def check_prices():
    return read_price("bread") < read_price("milk")


if __name__ == "__main__":
    fill_stock({"bread": 3, "milk": 5})
    clerks = ThreadPoolExecutor(2, thread_name_prefix="clerk")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        print_prices(clerks)
        check_prices()
        Session.remove()
        time.sleep(0.2)
