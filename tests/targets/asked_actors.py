"""asked_actors.py [healthy]: actors made by hand, each with a queue and promises that it keeps."""

import queue
import sys
import threading

from ready import ready

HEALTHY = sys.argv[1:] == ["healthy"]


class Promise:
    def __init__(self):
        self.kept = threading.Condition()
        self.value = None

    def give(self, value):
        with self.kept:
            self.value = value
            self.kept.notify_all()

    def get(self):
        with self.kept:
            while self.value is None:
                self.kept.wait()
            return self.value


class Envelope:
    def __init__(self, work):
        self.work = work
        self.answer = Promise()


class Actor:
    def __init__(self, name):
        self.inbox = queue.Queue()
        threading.Thread(target=self.run, name=name, daemon=True).start()

    def run(self):
        while True:
            envelope = self.inbox.get()
            value = envelope.work()
            envelope.answer.give(value)

    def ask(self, work):
        envelope = Envelope(work)
        self.inbox.put(envelope)
        return envelope.answer.get()


ledger, accounts = Actor("ledger"), Actor("accounts")


def balance():
    return 100


def booked():
    return balance() if HEALTHY else accounts.ask(balance)  # accounts waits for this itself


def close():
    return ledger.ask(booked)


threading.Timer(0.2, ready).start()
while accounts.ask(close):
    pass
