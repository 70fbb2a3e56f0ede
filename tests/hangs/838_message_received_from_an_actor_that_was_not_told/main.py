import os
import time

import ray
import torch
from ray.experimental.collective import create_collective_group
from ray.util import collective


@ray.remote(num_cpus=0)
class Stage:
    def __init__(self, rank):
        self.rank = rank

    def push(self):
        collective.send(torch.ones(4), dst_rank=1, group_name="stages")

    def pull(self):
        part = torch.zeros(4)
        collective.recv(part, src_rank=0, group_name="stages")
        return float(part.sum())


def run_batch(stages, number):
    calls = [stages[1].pull.remote()]
    if number < PUSHED:
        calls.append(stages[0].push.remote())
    return ray.get(calls)


PUSHED = 3


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    stages = [Stage.remote(rank) for rank in range(2)]
    create_collective_group(stages, backend="gloo", name="stages")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 0
    while True:
        run_batch(stages, number)
        number += 1
        time.sleep(0.1)
