import os
import queue
import threading

from promise import Promise

RATES = {"silver": 21}


class Broker(threading.Thread):
    def __init__(self):
        super().__init__(name="broker", daemon=True)
        self.questions = queue.Queue()
        self.faults = []

    def ask(self, metal):
        return Promise(lambda resolve, reject: self.questions.put((metal, resolve)))

    def quote(self, metal, resolve):
        resolve(RATES[metal])

    def run(self):
        while True:
            question = self.questions.get()
            try:
                self.quote(*question)
            except KeyError as fault:
                self.faults.append(repr(fault))


class Desk:
    def __init__(self):
        self.broker = Broker()
        self.broker.start()

    def total(self, metals):
        return sum(Promise.all([self.broker.ask(metal) for metal in metals]).get())


if __name__ == "__main__":
    desk = Desk()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        desk.total(["silver", "tin"])
