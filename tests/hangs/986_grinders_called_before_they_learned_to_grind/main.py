import multiprocessing
import os

context = multiprocessing.get_context("fork")
grinders = context.Pool(2)


class Sack:
    def __init__(self, corn, weight):
        self.corn = corn
        self.weight = weight


def grind(sack):
    return sack.corn, sack.weight * 0.8


class Mill:
    def __init__(self):
        self.flour = {}

    def day(self, sacks):
        for corn, weight in grinders.map(grind, sacks):
            self.flour[corn] = self.flour.get(corn, 0) + weight
        return self.flour


def run_mill():
    mill = Mill()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        mill.day([Sack("wheat", 50), Sack("rye", 40), Sack("oats", 30)])


if __name__ == "__main__":
    run_mill()
