import os
import signal

from rules import Rules

signal.alarm(120)


def answer_customer(rules, name, count):
    offer = rules.quote(name, count)
    print("%d %s: %.2f" % (count, name, offer))


def open_shop():
    rules = Rules()
    rules.set_prices({"pie": 2.5})
    while True:
        answer_customer(rules, "pie", 3)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    open_shop()
