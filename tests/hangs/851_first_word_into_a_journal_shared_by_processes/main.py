import itertools
import logging
import os
import signal
import threading
import time

from journal import Depot, open_journal

signal.alarm(120)


def print_lines(lines):
    while True:
        lines.get()


def work(depot):
    for number in itertools.count():
        depot.take_in(number, number % 30)
        depot.hand_out(number)
        time.sleep(0.1)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    lines, journal = open_journal(logging.DEBUG)
    threading.Thread(target=print_lines, args=(lines,), name="printer", daemon=True).start()
    work(Depot(journal))
