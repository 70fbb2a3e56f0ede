import fcntl
import os
import tempfile
import time
from contextlib import contextmanager

from billiard.pool import Pool

BOOK_IN_HAND = True
PATH = os.path.join(tempfile.mkdtemp(), "book.txt")


@contextmanager
def book():
    with open(PATH, "a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield file
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)


def weigh(basket):
    grams = basket * 120
    with book() as file:
        file.write("%d\n" % grams)
    return grams


class Market:
    def __init__(self):
        self.scales = Pool(2, putlocks=True)
        self.days = 0

    def hand_over(self, baskets):
        return [self.scales.apply_async(weigh, (basket,), waitforslot=True) for basket in baskets]

    def morning(self):
        if BOOK_IN_HAND:
            with book() as file:
                file.write("day %d\n" % self.days)
                weights = self.hand_over(range(6))
        else:
            weights = self.hand_over(range(6))
        self.days += sum(weight.get() for weight in weights) // 1800


def main():
    market = Market()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        market.morning()
        time.sleep(0.05)


if __name__ == "__main__":
    main()
