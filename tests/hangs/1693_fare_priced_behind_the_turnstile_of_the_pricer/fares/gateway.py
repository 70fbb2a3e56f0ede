from concurrent.futures import ThreadPoolExecutor

import pybreaker


class RateTable:
    def __init__(self, breaker):
        self.breaker = breaker
        self.rates = {"coast": 12, "hill": 17, "city": 6}

    def lookup(self, zone):
        return self.breaker.call(self._read, zone)

    def _read(self, zone):
        return self.rates[zone]


class Pricer:
    def __init__(self, breaker, table):
        self.breaker = breaker
        self.table = table
        self.pool = ThreadPoolExecutor(max_workers=4, thread_name_prefix="rates")
        self.priced = 0

    def price(self, journey):
        total = self.breaker.call(self._add_up, journey)
        self.priced += 1
        return total

    def _add_up(self, journey):
        parts = [self.pool.submit(self.table.lookup, zone) for zone in journey]
        return sum(part.result() for part in parts)


def build(shared):
    breaker = pybreaker.CircuitBreaker(fail_max=5, reset_timeout=30, name="fares")
    other = breaker if shared else pybreaker.CircuitBreaker(fail_max=5, name="rates")
    return Pricer(breaker, RateTable(other))
