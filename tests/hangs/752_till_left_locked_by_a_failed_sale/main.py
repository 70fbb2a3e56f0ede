import os
import signal

from till import shop

signal.alarm(120)


def sell(customer, prices):
    sold = []
    for price in prices:
        try:
            sold.append(customer.post("/sales/%s" % price).json)
        except ValueError:
            continue
    return sold


if __name__ == "__main__":
    shop.testing = True
    print("MARK main pid=%d" % os.getpid(), flush=True)
    sell(shop.test_client(), ["7", "cheap", "12"])
