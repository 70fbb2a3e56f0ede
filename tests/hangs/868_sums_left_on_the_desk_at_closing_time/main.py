import multiprocessing
import os
import time


class Sum:
    def __init__(self, branch, month):
        self.branch, self.month = branch, month

    def __getstate__(self):
        time.sleep(0.03)
        return {"branch": self.branch, "month": self.month, "total": self.month * 100}


HURRY = True
BRANCHES = ("north", "south", "west")
MONTHS = range(1, 13)


def add_up(branch, sums):
    for month in MONTHS:
        sums.put(Sum(branch, month))
    if HURRY:
        sums.cancel_join_thread()


def open_branches(context, sums):
    branches = []
    for name in BRANCHES:
        one = context.Process(target=add_up, args=(name, sums), name="branch " + name)
        one.start()
        branches.append(one)
    return branches


def collect(sums, wanted):
    found = {}
    while len(found) < wanted:
        one = sums.get()
        found[one.branch, one.month] = one.total
    return found


def year_end(context):
    sums = context.Queue()
    branches = open_branches(context, sums)
    found = collect(sums, len(BRANCHES) * len(MONTHS))
    for one in branches:
        one.join()
    return sum(found.values())


def main():
    context = multiprocessing.get_context("fork")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        year_end(context)


if __name__ == "__main__":
    main()
