import os

from kitchen.book import Book
from kitchen.cooks import evening
from kitchen.recipes import CARDS

DISHES = ["stew", "pie", "flan", "flan", "soup", "flan", "stew", "pie"]


def main():
    orders = evening(Book(CARDS), ("gil", "hana", "iris", "jon"), DISHES)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    orders.join()


if __name__ == "__main__":
    main()
