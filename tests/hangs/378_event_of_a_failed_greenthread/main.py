import os
import signal

import eventlet
from eventlet.event import Event

signal.alarm(120)
rates = {}


def load_rates(lines, loaded):
    for line in lines:
        currency, rate = line.split("=")
        rates[currency] = float(rate)
    loaded.send(len(rates))


def convert(amount, currency, loaded):
    loaded.wait()
    return amount * rates[currency]


def price_list(lines):
    loaded = Event()
    eventlet.spawn(load_rates, lines, loaded)
    shown = [eventlet.spawn(convert, amount, "EUR", loaded) for amount in (10, 20)]
    return [one.wait() for one in shown]


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    print(price_list(["EUR=1.08", "CHF: 1.12"]))
