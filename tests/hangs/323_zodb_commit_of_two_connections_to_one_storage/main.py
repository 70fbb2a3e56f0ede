import os
import signal

import transaction
import ZODB

signal.alarm(120)


def write_audit(shop, number):
    entries = shop.open().root()
    entries["last"] = number


def place_order(shop, number):
    orders = shop.open().root()
    orders["newest"] = number
    write_audit(shop, number)
    transaction.commit()


if __name__ == "__main__":
    shop = ZODB.DB(None)
    print("MARK main pid=%d" % os.getpid())
    place_order(shop, 1)
