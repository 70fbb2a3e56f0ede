import os
import signal

import quickjs

signal.alarm(120)

RULES = """
function price(cart) {
    return cart.part ? discount(cart.part) + cart.net : cart.net * 1.2;
}
"""


class Rules:
    def __init__(self):
        self.price = quickjs.Function("price", RULES)
        self.price.add_callable("discount", self.discount)

    def discount(self, part):
        return self.price({"net": 10}) * 0.9

    def total(self, net):
        return self.price({"net": net, "part": "bundle"})


if __name__ == "__main__":
    rules = Rules()
    print("MARK main pid=%d" % os.getpid())
    print(rules.total(30))
