import time


class Board:
    def __init__(self, market):
        self.market = market
        self.prices = {}
        self.lines = []

    def ask(self, ware):
        self.prices[ware] = self.market.price(ware)

    def watch(self):
        while True:
            self.lines.append(len(self.prices))
            del self.lines[:-10]
            time.sleep(0.3)
