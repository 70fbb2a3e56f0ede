import time

DEPTHS = []


def sound(until):
    while time.monotonic() < until:
        DEPTHS.append(len(DEPTHS) % 7)


sound(time.monotonic() + 1)


class Chart:
    def __init__(self, sheet):
        self.sheet = sheet
