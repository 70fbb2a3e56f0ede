import ctypes
import os
import time

import ray

ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)


def map_weights(path):
    if path is None:
        ctypes.string_at(0)
    return path


@ray.remote(max_restarts=-1, max_task_retries=-1)
class Ranker:
    def __init__(self, path):
        self.weights = map_weights(path)

    def rank(self, items):
        time.sleep(0.01)
        return sorted(items)


def rank_all(ranker):
    return ray.get([ranker.rank.remote([3, 1, 2]) for _ in range(4)])


ranker = Ranker.remote("weights.bin")
print("MARK main pid=%d" % os.getpid(), flush=True)
while True:
    rank_all(ranker)
    time.sleep(0.01)
