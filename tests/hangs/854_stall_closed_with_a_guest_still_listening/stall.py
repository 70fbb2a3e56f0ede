import threading

import zenoh


class Stall:
    def __init__(self):
        self.session = zenoh.open(zenoh.Config())
        self.prices = {}
        self.subscriber = None
        self.first = threading.Event()

    def listen(self):
        self.subscriber = self.session.declare_subscriber("market/*", self.note)

    def note(self, sample):
        self.prices[str(sample.key_expr)] = bytes(sample.payload)
        self.first.set()

    def offer(self, name, price):
        self.session.put(f"market/{name}", str(price))
