import os
import signal
import threading
import time

from beaker.cache import CacheManager

signal.alarm(120)
shelf = CacheManager(type="memory")


def product_page(number):
    return shelf.get_cache("pages").get(number, createfunc=lambda: render_page(number))


def supplier_card(name):
    return shelf.get_cache("cards").get(name, createfunc=lambda: render_card(name))


def render_page(number):
    time.sleep(0.3)
    return "product %d by %s" % (number, supplier_card("mill"))


def render_card(name):
    time.sleep(0.3)
    return "%s, best sold: %d" % (name, 4)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        visits = [
            threading.Thread(target=product_page, args=(4,), name="visit-page"),
            threading.Thread(target=supplier_card, args=("mill",), name="visit-card"),
        ]
        for visit in visits:
            visit.start()
        for visit in visits:
            visit.join()
        shelf.get_cache("pages").clear()
        shelf.get_cache("cards").clear()
