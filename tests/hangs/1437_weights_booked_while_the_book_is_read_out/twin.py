import os
import queue
from concurrent.futures import ProcessPoolExecutor

from dairy.book import Book, Churn, Clerk
from dairy.round import Round


def main():
    orders = queue.Queue()
    Clerk(orders).start()
    Churn().start()
    with ProcessPoolExecutor(2) as pool:
        tour = Round(pool, Book(), orders, range(6))
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while True:
            tour.day()


if __name__ == "__main__":
    main()
