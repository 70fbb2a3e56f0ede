import os
import signal
import threading
import time

from addresses import AddressBook

signal.alarm(120)
LINES = ["Mill Street 12", "Long Road 7b", "Upper Bridge Lane Behind The Old Tannery Yard East!"]


def read_in(book):
    while True:
        for line in LINES:
            book.add(line)
        time.sleep(0.05)


def report(book):
    while True:
        time.sleep(0.5)
        print(len(book.known), "known")


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    book = AddressBook()
    threading.Thread(target=report, args=(book,), name="report", daemon=True).start()
    read_in(book)
