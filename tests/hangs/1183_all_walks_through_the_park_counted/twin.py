import os
import time

import networkx


class Park:
    def __init__(self, rows, columns):
        self.paths = networkx.grid_2d_graph(rows, columns)
        self.far = (rows - 1, columns - 1)

    def walks(self):
        return list(networkx.all_simple_paths(self.paths, (0, 0), self.far, cutoff=CUTOFF))

    def longest(self):
        return max(len(walk) for walk in self.walks())


class Guide:
    def __init__(self):
        self.plans = []

    def plan(self, size):
        park = Park(size, size)
        self.plans.append(park.longest())


def guide_all():
    guide = Guide()
    while True:
        for size in SIZES:
            guide.plan(size)
            time.sleep(0.05)


SIZES, CUTOFF = (3, 4), 8


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    guide_all()
