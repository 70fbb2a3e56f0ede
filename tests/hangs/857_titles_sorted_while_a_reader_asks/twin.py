import itertools
import os
import signal
import threading
import time

from catalogue import Catalogue

signal.alarm(120)


def sort_again(catalogue):
    while True:
        with catalogue.guard:
            catalogue.sorted_titles()
        time.sleep(0.05)


def answer_readers(catalogue):
    for number in itertools.cycle(range(1, 2000)):
        with catalogue.guard:
            catalogue.title(number)
        time.sleep(0.01)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    catalogue = Catalogue()
    threading.Thread(target=sort_again, args=(catalogue,), name="sorter", daemon=True).start()
    answer_readers(catalogue)
