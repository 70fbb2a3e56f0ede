import multiprocessing
import os

import numpy
import xgboost
from xgboost import collective
from xgboost.tracker import RabitTracker

FORK = multiprocessing.get_context("spawn")


def load_part(number):
    if number == BROKEN:
        raise FileNotFoundError("part-%d.csv" % number)
    return xgboost.DMatrix(numpy.random.rand(64, 4), label=numpy.random.rand(64))


BROKEN = 1


def train_part(number, arguments):
    data = load_part(number)
    with collective.CommunicatorContext(**arguments):
        xgboost.train({"nthread": 1, "verbosity": 0}, data, num_boost_round=2)


def train_all():
    tracker = RabitTracker(n_workers=2, host_ip="127.0.0.1")
    tracker.start()
    arguments = tracker.worker_args()
    workers = [FORK.Process(target=train_part, args=(n, arguments)) for n in range(2)]
    for worker in workers:
        worker.start()
    tracker.wait_for()
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        train_all()
