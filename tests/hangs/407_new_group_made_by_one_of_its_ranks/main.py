import os
import time

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
RANK = dist.get_rank()


def group_of_evaluators():
    if RANK == 0:
        return dist.new_group([0, 1])


def synchronize(loss):
    dist.all_reduce(loss)
    return loss.item()


def train():
    for step in range(100000):
        synchronize(torch.ones(1) * step)
        if step % 400 == 20:
            group_of_evaluators()
        time.sleep(0.01)


if RANK == 0:
    print("MARK main pid=%d" % os.getppid(), flush=True)
train()
