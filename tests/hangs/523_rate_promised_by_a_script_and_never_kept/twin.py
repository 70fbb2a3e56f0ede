import os
import signal
import threading
import time

from py_mini_racer import MiniRacer

signal.alarm(120)

SCRIPT = """
let told = {};
function rateOf(currency) {
    return new Promise(resolve => { told[currency] = resolve; });
}
function tell(currency, rate) {
    if (told[currency]) told[currency](rate);
}
"""


class Rates:
    def __init__(self):
        self.script = MiniRacer()
        self.script.eval(SCRIPT)

    def of(self, currency):
        return self.script.eval("rateOf('%s')" % currency).get()

    def hear(self, currency, rate):
        while True:
            self.script.eval("tell('%s', %r)" % (currency, rate))
            time.sleep(0.05)


def price_list(rates, prices, currency):
    rate = rates.of(currency)
    return [price * rate for price in prices]


def main():
    rates = Rates()
    threading.Thread(target=rates.hear, args=("EUR", 1.1), daemon=True).start()
    while True:
        price_list(rates, [3, 5], "EUR")


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    main()
