import gevent
from gevent.queue import Channel


class Books:
    def __init__(self, name, own, other, first):
        self.name = name
        self.own = own
        self.other = other
        self.first = first
        self.entries = []
        self.disputed = []

    def post(self, amount):
        self.entries.append(amount)

    def hand_over(self):
        self.other.put((self.name, sum(self.entries)))

    def compare(self):
        name, total = self.own.get()
        if total != sum(self.entries):
            self.disputed.append((name, total))

    def settle(self):
        if self.first:
            self.hand_over()
            self.compare()
        else:
            self.compare()
            self.hand_over()

    def month(self, amounts, pause):
        for amount in amounts:
            self.post(amount)
            gevent.sleep(pause)
        self.settle()


def pair(both_first):
    left, right = Channel(), Channel()
    return Books("sales", left, right, True), Books("stock", right, left, both_first)
