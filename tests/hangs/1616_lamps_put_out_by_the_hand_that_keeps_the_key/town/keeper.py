import threading
import time


class Street:
    """A street whose lamps are looked after on every round."""

    def __init__(self, name, keeper):
        self.name = name
        self.keeper = keeper
        self.lit = 0
        self.rounds = 0

    def walk(self):
        self.rounds += 1
        with self.keeper.key:
            self.lit = min(12, self.lit + 1)
            self.keeper.log(self.name, self.lit)

    def darken(self):
        self.lit = 0


class Keeper:
    def __init__(self, rounds, key_in_hand):
        self.rounds = rounds
        self.key = threading.Lock()
        self.key_in_hand = key_in_hand
        self.book = []
        self.barrel = 100

    def log(self, name, lit):
        self.book.append((name, lit))
        del self.book[:-50]

    def oil(self):
        self.barrel = 100 if self.barrel < 5 else self.barrel - 1

    def put_out(self, streets):
        with self.key:
            for street in streets:
                street.darken()
            time.sleep(0.5)
            if self.key_in_hand:
                self.rounds.stop()

    def night(self, streets):
        time.sleep(1)
        self.put_out(streets)
        while True:
            self.oil()
            time.sleep(0.3)
