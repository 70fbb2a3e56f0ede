import itertools
import os
import signal

from ratelimit import limits, sleep_and_retry

signal.alarm(120)


class Booth:
    def __init__(self):
        self.sold = 0

    @sleep_and_retry
    @limits(calls=3, period=0.5)
    def sell(self, seat):
        self.sold += 1


def sell_row(booth, seats):
    for seat in seats:
        booth.sell(seat)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    sell_row(Booth(), itertools.count())
