"""Sleeps with variables of many kinds, and counts the signals that it gets.

Each SIGUSR1 writes the number of those so far into the file that the first argument names.
"""

import collections
import signal
import sys
import threading
import time

from ready import ready


class Account:
    def __init__(self):
        self.owner = "Ada"
        self.lock = threading.Lock()
        self.balance = 1200


def count(number, frame):
    count.signals += 1
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w") as stream:
            stream.write(str(count.signals))


count.signals = 0


def work(amount, ratio):
    account = Account()
    names = ["one", "two", "three"]
    table = {"first": 1, "second": 2.5}
    pair = (None, True)
    recent = collections.deque([1, 2])
    password = "correct horse"
    address = "postgres://ada:hunter2@db/prod"
    data = b"\x00\x01raw"
    long_text = "x" * 500
    with account.lock:
        ready()
        while True:
            time.sleep(1000)
    return names, table, pair, recent, password, address, data, long_text, amount, ratio


signal.signal(signal.SIGUSR1, count)
work(42, 0.5)
