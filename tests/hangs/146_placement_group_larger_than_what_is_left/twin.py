import os
import time

import ray
from ray.util.placement_group import placement_group, remove_placement_group

ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)


def reserve(cpus):
    group = placement_group([{"CPU": 1}] * cpus)
    ray.get(group.ready())
    return group


def experiment():
    training = reserve(1)
    evaluation = reserve(2)
    time.sleep(0.1)
    remove_placement_group(evaluation)
    remove_placement_group(training)


print("MARK main pid=%d" % os.getpid(), flush=True)
while True:
    experiment()
