import os
import signal
import time

import transaction
import ZODB

signal.alarm(120)


def write_audit(root, number):
    root["last"] = number


def place_order(shop, number):
    connection = shop.open()
    orders = connection.root()
    orders["newest"] = number
    write_audit(orders, number)
    transaction.commit()
    connection.close()


if __name__ == "__main__":
    shop = ZODB.DB(None)
    print("MARK main pid=%d" % os.getpid())
    while True:
        place_order(shop, 1)
        time.sleep(0.02)
