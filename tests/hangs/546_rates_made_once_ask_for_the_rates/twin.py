import os
import signal

from shop import market
from shop.prices import price_order

signal.alarm(120)


def read_rates(day):
    base = {"EUR": 1.0, "USD": 1.1}
    base["GBP"] = base["USD"] * base["EUR"]
    return base


if __name__ == "__main__":
    market.read_rates = read_rates
    print("MARK main pid=%d" % os.getpid())
    while True:
        price_order({"tea": 3, "jam": 1})
