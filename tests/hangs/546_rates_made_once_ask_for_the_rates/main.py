import os
import signal

from shop.prices import price_order

signal.alarm(120)

if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        price_order({"tea": 3, "jam": 1})
