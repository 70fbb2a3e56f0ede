import os
import socket
import time

import ray
import torch
import torch.distributed as dist

WORLD = 3


@ray.remote(num_cpus=1)
class Trainer:
    def join(self, address, rank):
        dist.init_process_group("gloo", init_method="tcp://" + address, rank=rank, world_size=WORLD)
        return rank

    def step(self):
        loss = torch.ones(1)
        dist.all_reduce(loss)
        return float(loss)


def free_address():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return "127.0.0.1:%d" % probe.getsockname()[1]


def start_trainers():
    address = free_address()
    trainers = [Trainer.remote() for rank in range(WORLD)]
    ray.get([trainer.join.remote(address, rank) for rank, trainer in enumerate(trainers)])
    return trainers


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    trainers = start_trainers()
    while True:
        ray.get([trainer.step.remote() for trainer in trainers])
        time.sleep(0.05)
