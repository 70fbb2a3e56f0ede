import os
import threading
import time

import ray


@ray.remote(num_cpus=0, max_concurrency=4)
class Bank:
    """Keeps accounts; several calls at a time."""

    def __init__(self, name):
        self.name = name
        self.books = threading.Lock()
        self.balance = 1000000
        self.partner = None

    def meet(self, partner):
        self.partner = partner

    def withdraw(self, amount):
        self.balance -= amount
        time.sleep(0.005)
        return amount

    def send_money(self, amount):
        if KEPT:
            with self.books:
                return self.settle(self.withdraw(amount))
        with self.books:
            self.withdraw(amount)
        return self.settle(amount)

    def settle(self, amount):
        return ray.get(self.partner.receive.remote(amount))

    def receive(self, amount):
        with self.books:
            self.balance += amount
            return self.balance


class Exchange:
    def __init__(self):
        self.banks = [Bank.options(name=name).remote(name) for name in ("north", "south")]
        north, south = self.banks
        ray.get([north.meet.remote(south), south.meet.remote(north)])

    def clear_day(self, day):
        sent = [bank.send_money.remote(day % 9 + 1) for bank in self.banks]
        return ray.get(sent)


def main():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    exchange = Exchange()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    day = 0
    while True:
        exchange.clear_day(day)
        day += 1


KEPT = False


if __name__ == "__main__":
    main()
