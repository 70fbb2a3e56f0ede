"""written_methods.py NAME: a thread waits for what a method would set that it is in itself, or that
nobody is in."""

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


def itself():
    board = Dashboard()
    return lambda: board.hear("alarm")


def nobody():
    return Door().enter


waiter = threading.Thread(target=globals()[sys.argv[1]](), name="waiter", daemon=True)
waiter.start()
threading.Timer(0.1, ready).start()
waiter.join()
