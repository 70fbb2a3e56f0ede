import os
import time

import ray

ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)


@ray.remote
class Ledger:
    def __init__(self):
        self.rates = {}
        self.total = 0

    def set_rates(self, rates):
        self.rates = rates

    def rate_of(self, currency):
        return self.rates.get(currency)

    def book(self, amount):
        self.total += amount
        return self.total


@ray.remote
def convert(ledger, currency, amount):
    while (rate := ray.get(ledger.rate_of.remote(currency))) is None:
        time.sleep(0.1)
    return rate * amount


def open_day(ledger, day):
    booked = ledger.book.remote(convert.remote(ledger, "EUR", day))
    loaded = ledger.set_rates.remote({"EUR": 2})
    return ray.get([booked, loaded])


day = 0
print("MARK main pid=%d" % os.getpid(), flush=True)
while True:
    open_day(Ledger.remote(), day)
    day += 1
    time.sleep(0.01)
