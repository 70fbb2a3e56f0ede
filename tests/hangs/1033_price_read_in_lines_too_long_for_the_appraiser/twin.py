import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BY_LINES = True


class Appraiser:
    def __init__(self):
        command = [sys.executable, "-u", os.path.join(HERE, "appraise.py")]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, thing):
        self.process.stdin.write(thing.encode() + b"\n")
        self.process.stdin.flush()

    def read_price(self):
        if BY_LINES:
            return self.process.stdout.readline()
        return self.process.stdout.read(256)


class Auction:
    def __init__(self, appraiser):
        self.appraiser = appraiser
        self.catalogue = {}

    def price_of(self, thing):
        self.appraiser.ask(thing)
        return float(self.appraiser.read_price().split()[0])

    def fill_catalogue(self, things):
        for thing in things:
            self.catalogue[thing] = self.price_of(thing)


def main():
    auction = Auction(Appraiser())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        auction.fill_catalogue(["clock", "chair", "vase"])
        time.sleep(0.05)


if __name__ == "__main__":
    main()
