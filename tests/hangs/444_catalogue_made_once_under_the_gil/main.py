import os
import signal
import threading
import time

from build import HERE, build

signal.alarm(120)


def read_prices():
    time.sleep(0.1)
    return {"tea": 3, "salt": 1}


def sell(catalogue, name, sold):
    sold.append(catalogue.price(read_prices, name))


def open_shop(catalogue, names):
    sold = []
    tills = [threading.Thread(target=sell, args=(catalogue, name, sold)) for name in names]
    for till in tills:
        till.start()
    for till in tills:
        till.join()
    return sold


if __name__ == "__main__":
    catalogue = build(os.path.join(HERE, "build", "main"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(open_shop(catalogue, ["tea", "salt"]))
