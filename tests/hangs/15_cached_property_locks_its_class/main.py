import os
import signal
import threading
from functools import cached_property

signal.alarm(120)
both = threading.Barrier(2)


def pause():
    if not both.broken:
        both.wait()


class Customer:
    def __init__(self, account=None):
        self.account = account

    @cached_property
    def balance(self):
        pause()
        return 100 if self.account is None else self.account.rating * 10


class Account:
    def __init__(self, owner=None):
        self.owner = owner

    @cached_property
    def rating(self):
        pause()
        return 1 if self.owner is None else self.owner.balance // 10


def send_bills(customer):
    return customer.balance


def score_accounts(account):
    return account.rating


def run_night():
    threads = [
        threading.Thread(target=send_bills, args=(Customer(Account()),), name="billing"),
        threading.Thread(target=score_accounts, args=(Account(Customer()),), name="scoring"),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    run_night()
