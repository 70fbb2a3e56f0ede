import os
import time

import ray
from ray.util.placement_group import placement_group
from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy


@ray.remote(num_cpus=1)
def load_rows(shard):
    return list(range(shard, shard + 4))


@ray.remote(num_cpus=1)
class Trial:
    def fit(self, rate):
        rows = ray.get([load_rows.remote(shard) for shard in range(2)])
        return rate * sum(map(sum, rows))


def make_trial(room):
    strategy = PlacementGroupSchedulingStrategy(
        placement_group=room, placement_group_capture_child_tasks=CAPTURE
    )
    return Trial.options(scheduling_strategy=strategy).remote()


def tune(trial):
    return [ray.get(trial.fit.remote(rate)) for rate in (0.1, 0.01)]


CAPTURE = False


if __name__ == "__main__":
    ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)
    room = placement_group([{"CPU": 1}])
    ray.get(room.ready())
    trial = make_trial(room)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        tune(trial)
        time.sleep(0.05)
