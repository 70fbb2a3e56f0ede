import os
import signal
from concurrent.futures import ThreadPoolExecutor

from pony.orm import Database, Required, db_session, flush

signal.alarm(120)
shop = Database()


class Order(shop.Entity):
    number = Required(int)


class Receipt(shop.Entity):
    number = Required(int)


@db_session
def write_receipt(number):
    Receipt(number=number)


@db_session
def close_order(printers, number):
    Order(number=number)
    flush()
    printers.submit(write_receipt, number).result()


if __name__ == "__main__":
    path = "/tmp/orders-%d.sqlite" % os.getpid()
    shop.bind("sqlite", path, create_db=True)
    shop.generate_mapping(create_tables=True)
    print("MARK main pid=%d" % os.getpid())
    with ThreadPoolExecutor(2, "printer") as printers:
        for number in (17, 18):
            close_order(printers, number)
