import itertools
import os
import signal
import threading

from catalogue import Catalogue

signal.alarm(120)


def sort_again(catalogue):
    while True:
        catalogue.sorted_titles()


def answer_readers(catalogue):
    for number in itertools.cycle(range(1, 2000)):
        catalogue.title(number)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    catalogue = Catalogue()
    threading.Thread(target=sort_again, args=(catalogue,), name="sorter", daemon=True).start()
    answer_readers(catalogue)
