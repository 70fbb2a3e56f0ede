import os
import time


class Interval:
    def __init__(self, seconds, at_once):
        self.number = os.timerfd_create(time.CLOCK_MONOTONIC)
        self.seconds = seconds
        self.at_once = at_once

    def start(self):
        first = 0 if self.at_once else self.seconds
        os.timerfd_settime(self.number, initial=first, interval=self.seconds)
        return self

    def next(self):
        return int.from_bytes(os.read(self.number, 8), "little")
