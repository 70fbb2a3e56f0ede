import os
import threading
import time


class Librarian:
    def __init__(self, house):
        self.house = house
        self.steps = 0

    def fill(self, count):
        for number in range(count):
            with open(os.path.join(self.house, "paper.%d" % number), "w") as paper:
                paper.write("of the year %d" % (1700 + number))

    def stroll(self):
        while True:
            self.steps += 1
            time.sleep(0.2)


class Reader(threading.Thread):
    def __init__(self, house, name):
        super().__init__(name=name, daemon=True)
        self.house = house
        self.known = {}

    def read(self, number):
        with open(os.path.join(self.house, "paper.%d" % number)) as paper:
            self.known[number] = paper.read()

    def run(self):
        number = 0
        while True:
            self.read(number % 6)
            number += 1
            time.sleep(0.05)
