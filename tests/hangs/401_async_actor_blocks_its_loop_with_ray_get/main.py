import os
import time

import ray

ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)


@ray.remote
class Scorer:
    def score(self, coordinator, sample):
        return sample >= ray.get(coordinator.threshold.remote())


@ray.remote
class Coordinator:
    def __init__(self, scorer):
        self.scorer = scorer
        self.limit = 0

    async def threshold(self):
        return self.limit

    async def evaluate(self, me, sample):
        self.limit = sample // 2
        return ray.get(self.scorer.score.remote(me, sample))


def evaluate_all(coordinator, samples):
    return [ray.get(coordinator.evaluate.remote(coordinator, sample)) for sample in samples]


coordinator = Coordinator.remote(Scorer.remote())
print("MARK main pid=%d" % os.getpid(), flush=True)
while True:
    evaluate_all(coordinator, range(10))
    time.sleep(0.01)
