"""written_methods.py NAME: a thread waits for what a method would set that it is in itself, or that
nobody is in; or for what one would set that nobody is in, and itself further on."""

import concurrent.futures
import heapq
import itertools
import queue
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


class Gate:
    def __init__(self):
        self.open = threading.Event()
        self.open.set()
        self.open.clear()

    def enter(self):
        self.open.wait()


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


class Batcher:
    def __init__(self):
        self.inbox = queue.Queue()

    def ask(self, text):
        done = concurrent.futures.Future()
        self.inbox.put((text, done))
        return done.result()

    def run(self):
        while True:
            batch = [self.inbox.get()]
            for text, done in batch:
                done.set_result(len(text))  # sets of a queue


class Desk:
    def __init__(self):
        self.asked = {}

    def ask(self, number):
        self.asked.setdefault(number, threading.Event()).wait()

    def answer(self, number):
        self.asked.pop(number).set()  # takes out, and sets


class Nurse:
    def __init__(self):
        self.order, self.numbers = [], itertools.count()

    def ask(self, urgency):
        called = threading.Event()
        heapq.heappush(self.order, (urgency, next(self.numbers), called))
        called.wait()

    def call(self):
        heapq.heappop(self.order)[2].set()  # sets the first


class Counter(Desk):
    def answer(self, number):
        self.asked[number].set()  # sets an item


class Till(Desk):
    def answer(self, number):
        paid = self.asked.pop(number)
        paid.set()  # sets a variable


def itself():
    board = Dashboard()
    return lambda: board.hear("alarm")


def nobody():
    return Door().enter


def batch():
    return lambda: Judge().score("a story")


def later():
    return Office().sort


def queued():
    return lambda: Batcher().ask("a story")


def taken_out():
    return lambda: Desk().ask(3)


def first():
    return lambda: Nurse().ask(3)


def item():
    return lambda: Counter().ask(3)


def variable():
    return lambda: Till().ask(3)


def beside():
    gate = Gate()

    def visit():
        gate.enter()

    def resume():
        gate.open.set()  # sets, beside

    handlers = {"resume": resume, "visit": visit}
    return handlers["visit"]


waiter = threading.Thread(target=globals()[sys.argv[1]](), name="waiter", daemon=True)
waiter.start()
threading.Timer(0.1, ready).start()
waiter.join()
