"""written_methods.py NAME: a thread waits for what a method would set that it is in itself, or that
nobody is in; or for what one would set that nobody is in, and itself further on."""

import sys
import threading

from ready import ready


class Dashboard:
    def __init__(self):
        self.answered = threading.Event()

    def hear(self, message):
        if message == "alarm":
            self.ask()
        else:
            self.answered.set()  # sets

    def ask(self):
        self.answered.wait()

    def reset(self):
        self.answered.clear()


class Door:
    def __init__(self):
        self.opened = threading.Event()

    def open(self):
        self.opened.set()  # sets, too

    def enter(self):
        self.opened.wait()


class Office:
    def __init__(self):
        self.sorted = threading.Event()

    def leave(self):
        self.sorted.set()

    def sort(self):
        self.sorted.wait()
        self.sorted.set()  # sets, further on


def itself():
    board = Dashboard()
    return lambda: board.hear("alarm")


def nobody():
    return Door().enter


def later():
    return Office().sort


waiter = threading.Thread(target=globals()[sys.argv[1]](), name="waiter", daemon=True)
waiter.start()
threading.Timer(0.1, ready).start()
waiter.join()
