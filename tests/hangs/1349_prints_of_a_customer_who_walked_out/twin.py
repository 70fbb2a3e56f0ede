import os

from copyshop.bench import Bench
from copyshop.counter import Counter, Door, Meter, Order

LEAVING = [(3.5, "lund")]


def main():
    bench = Bench(3)
    counter = Counter(bench)
    counter.accept(Order("abel", ["plan", "map", "deed"] * 60))
    counter.accept(Order("ortiz", ["poster", "flyer", "menu", "card"]))
    counter.accept(Order("lund", ["score", "parts"]))
    Meter(bench).start()
    Door(counter, LEAVING).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    counter.settle()
    print("closed", counter.served, flush=True)


if __name__ == "__main__":
    main()
