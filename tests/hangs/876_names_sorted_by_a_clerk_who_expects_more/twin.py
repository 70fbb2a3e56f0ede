import os
import time

import sarge

CLOSE_FIRST = True


class Guests:
    def __init__(self, names):
        self.names = names

    def lines(self):
        for name in self.names:
            yield name + "\n"


def feed_all(feeder, guests):
    for line in guests.lines():
        feeder.feed(line)
    if CLOSE_FIRST:
        feeder.close()


def start_sort(feeder):
    output = sarge.Capture()
    return sarge.run("sort -f", input=feeder, stdout=output, async_=True)


def sort_names(guests):
    feeder = sarge.Feeder()
    pipeline = start_sort(feeder)
    feed_all(feeder, guests)
    pipeline.wait()
    return pipeline.stdout.text.split()


def seat(guests):
    tables = {}
    for number, name in enumerate(sort_names(guests)):
        tables.setdefault(number // 4, []).append(name)
    return tables


def main():
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        seat(Guests(["Mara", "ida", "Jon", "Ben", "zoe"]))
        time.sleep(0.05)


if __name__ == "__main__":
    main()
