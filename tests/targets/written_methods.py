"""written_methods.py NAME: a thread waits for what a method would set that it is in itself, or that
nobody is in; or for what one would set that nobody is in, and itself further on."""

import concurrent.futures
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


class Judge:
    def __init__(self):
        self.waiting = []

    def score(self, text):
        done = concurrent.futures.Future()
        self.waiting.append((text, done))
        return done.result()

    def flush(self):
        batch, self.waiting = self.waiting, []
        for text, done in batch:
            done.set_result(len(text))  # sets each


def itself():
    board = Dashboard()
    return lambda: board.hear("alarm")


def nobody():
    return Door().enter


def batch():
    return lambda: Judge().score("a story")


def later():
    return Office().sort


waiter = threading.Thread(target=globals()[sys.argv[1]](), name="waiter", daemon=True)
waiter.start()
threading.Timer(0.1, ready).start()
waiter.join()
