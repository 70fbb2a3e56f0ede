"""Two tellers move money between two accounts in opposite directions, and meet in the middle."""

import threading

from sample import ready


class Account:
    def __init__(self, balance):
        self.balance = balance
        self.lock = threading.Lock()


both_have_one = threading.Barrier(3)


def transfer(source, target, amount):
    with source.lock:
        both_have_one.wait()
        with target.lock:
            source.balance -= amount
            target.balance += amount


checking, savings = Account(100), Account(200)
tellers = [
    threading.Thread(target=transfer, args=(checking, savings, 10), name="teller-1"),
    threading.Thread(target=transfer, args=(savings, checking, 20), name="teller-2"),
]
for teller in tellers:
    teller.start()
both_have_one.wait()
ready()
for teller in tellers:
    teller.join()
