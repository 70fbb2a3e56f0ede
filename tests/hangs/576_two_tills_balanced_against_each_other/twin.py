import os
import signal
import threading
import time

from wrapt import synchronized

signal.alarm(120)


class Till:
    def __init__(self, name, amount):
        self.name = name
        self.amount = amount

    @synchronized
    def take(self, amount):
        self.amount -= amount
        return amount

    @synchronized
    def put(self, amount):
        time.sleep(0.001)
        self.amount += amount

    def move_to(self, other, amount):
        time.sleep(0.05)
        other.put(self.take(amount))


def balance(till, other):
    while True:
        till.move_to(other, 1)


if __name__ == "__main__":
    front, back = Till("front", 10000), Till("back", 10000)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    clerks = [
        threading.Thread(target=balance, args=pair, name=name)
        for name, pair in (("day", (front, back)), ("night", (back, front)))
    ]
    for clerk in clerks:
        clerk.start()
    for clerk in clerks:
        clerk.join()
