import os
import signal

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
        self.script.eval("tell('%s', %r)" % (currency, rate))


def price_list(prices, currency):
    rates = Rates()
    rates.hear(currency, 1.1)
    rate = rates.of(currency)
    return [price * rate for price in prices]


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(price_list([3, 5], "EUR"))
