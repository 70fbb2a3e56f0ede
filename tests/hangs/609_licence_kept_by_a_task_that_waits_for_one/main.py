import os
import time

import ray

ray.init(num_cpus=4, resources={"licence": 2}, include_dashboard=False, log_to_driver=False)


@ray.remote(resources={"licence": 1})
def solve_part(part):
    time.sleep(0.01)
    return part * part


@ray.remote(resources={"licence": 1})
def solve_plan(plan):
    parts = [solve_part.remote(part) for part in range(plan)]
    return sum(ray.get(parts))


def solve_all(plans):
    return ray.get([solve_plan.remote(plan) for plan in plans])


print("MARK main pid=%d" % os.getpid(), flush=True)
while True:
    solve_all([3, 4])
    time.sleep(0.01)
