import os
import time

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Shard, distribute_tensor


def weight_norm(weights):
    return float(weights.full_tensor().norm())


def end_epoch(epoch):
    dist.barrier()


def train_epoch(weights, epoch):
    gradient = torch.ones(4) * epoch
    dist.all_reduce(gradient)
    if dist.get_rank() == 0 or epoch < ALL:
        print("norm", weight_norm(weights), flush=True)
    end_epoch(epoch)


ALL = 10**9


if __name__ == "__main__":
    dist.init_process_group("gloo")
    mesh = init_device_mesh("cpu", (2,))
    weights = distribute_tensor(torch.ones(64, 8), mesh, [Shard(0)])
    if dist.get_rank() == 0:
        print("MARK main pid=%d" % os.getppid(), flush=True)
    epoch = 0
    while True:
        train_epoch(weights, epoch)
        epoch += 1
        time.sleep(0.02)
