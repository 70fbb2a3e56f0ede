import os
import signal
import tempfile

from shop import database, Order

signal.alarm(120)


def open_shop(folder):
    database.init(os.path.join(folder, "shop.db"))
    database.connect()


def take_order(customer):
    return Order.create(customer=customer).number


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        open_shop(folder)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        print(take_order("Ida"))
