import logging
import os

from bank.ledger import Drawers, Ledger
from bank.teller import Branch, Statistics

DRAWERS = 16
ORDERS = [
    ("deposit", 3, 50),
    ("transfer", 5, 8, 20),
    ("deposit", 12, 10),
    ("transfer", 41, 7, 15),
    ("transfer", 9, 25, 30),
    ("deposit", 60, 5),
]


def main():
    logging.basicConfig(level=logging.WARNING)
    ledger = Ledger(Drawers(DRAWERS))
    Statistics(ledger).start()
    branch = Branch(ledger)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    branch.day(ORDERS)


if __name__ == "__main__":
    main()
