import threading


class Stand:
    def __init__(self, places, loud):
        self.places = places
        self.loud = loud
        self.baskets = []
        self.bell = threading.Condition()

    def ring(self):
        if self.loud:
            self.bell.notify_all()
        else:
            self.bell.notify()

    def bring(self, basket):
        with self.bell:
            while len(self.baskets) == self.places:
                self.bell.wait()
            self.baskets.append(basket)
            self.ring()

    def fetch(self):
        with self.bell:
            while not self.baskets:
                self.bell.wait()
            basket = self.baskets.pop()
            self.ring()
            return basket
