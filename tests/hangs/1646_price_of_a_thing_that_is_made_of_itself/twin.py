import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from store.catalogue import Catalogue

LOOPED = False


class Window:
    def __init__(self, catalogue):
        self.catalogue = catalogue
        self.shown = 0

    def work(self):
        while True:
            self.shown = len(self.catalogue.parts)
            time.sleep(0.4)


if __name__ == "__main__":
    catalogue = Catalogue(LOOPED)
    window = Window(catalogue)
    threading.Thread(target=window.work, name="window", daemon=True).start()
    pricers = ThreadPoolExecutor(2, thread_name_prefix="pricer")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        for name in ("nail", "plank", "cart"):
            pricers.submit(catalogue.price, name).result()
        catalogue.price.cache_clear()
        time.sleep(0.05)
