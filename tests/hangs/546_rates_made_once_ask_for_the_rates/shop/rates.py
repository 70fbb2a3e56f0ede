import time

from funcy import once_per_args

from shop import market


@once_per_args
def load_rates(day):
    time.sleep(0.1)
    market.rates.update(market.read_rates(day))


def rate_of(currency, day="today"):
    load_rates(day)
    return market.rates[currency]
