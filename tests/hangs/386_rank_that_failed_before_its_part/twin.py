import os
import signal
import sys
import time

signal.alarm(120)
if "PMI_RANK" not in os.environ:
    launcher = os.path.join(os.path.dirname(sys.executable), "mpiexec")
    os.execv(launcher, [launcher, "-n", "2", sys.executable, "-u", *sys.argv])

from mpi4py import MPI

ranks = MPI.COMM_WORLD
regions = {0: [3.1, 4.4], 1: [2.9, 4.1]}


def mean_level(levels):
    return sum(map(float, levels)) / len(levels)


def report_levels():
    own = mean_level(regions[ranks.rank])
    time.sleep(0.05)
    ranks.gather(own, root=0)


if __name__ == "__main__":
    if ranks.rank == 0:
        print("MARK main pid=%d" % os.getpid())
    while True:
        report_levels()
