import os

from granary.quay import Quay, Tide, start_store, start_weighers

CARGO = ["rye", "oats", "sweepings", "wheat"]


if __name__ == "__main__":
    start_store()
    start_weighers()
    Tide().start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Quay(CARGO).day()
