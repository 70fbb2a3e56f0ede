import os
import signal

import shop

signal.alarm(120)


def place_order(name):
    with shop.transaction.atomic():
        order = shop.Order.objects.create(name=name)
    return order.pk, shop.pool.submit(shop.write_audit, "ordered by " + name).result()


if __name__ == "__main__":
    shop.make_tables()
    print("MARK main pid=%d" % os.getpid())
    while True:
        place_order("ann")
