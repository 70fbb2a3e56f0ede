import os
import time

from post.sorting import Sorting, Stove, Walker


def one_round(empty_first):
    sorting = Sorting(3)
    sorting.begin()
    Walker("east", sorting, range(40)).start()
    Walker("west", sorting, range(40, 80)).start()
    sorting.take(80)
    sorting.finish(empty_first)
    return sorting.boxes


def main(empty_first):
    Stove().start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        one_round(empty_first)
        time.sleep(0.5)


if __name__ == "__main__":
    main(empty_first=False)
