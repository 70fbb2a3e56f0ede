import os
import signal

import crochet
from twisted.internet import threads

signal.alarm(120)


class Office:
    def __init__(self, letters):
        self.letters = letters
        self.sorted = []

    @crochet.run_in_reactor
    def deliver(self, street):
        return threads.deferToThread(self.walk, street)

    def walk(self, street):
        weights = [self.weigh(letter).wait(timeout=3600) for letter in self.letters[street]]
        self.sorted.append((street, sum(weights)))

    @crochet.run_in_reactor
    def weigh(self, letter):
        return threads.deferToThread(len, letter)


def morning(office):
    for street in office.letters:
        office.deliver(street).wait(timeout=3600)


if __name__ == "__main__":
    crochet.setup()
    office = Office({"street %d" % number: ["bill", "postcard"] for number in range(12)})
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        morning(office)
