import os
import time

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
RANK = dist.get_rank()
TENSOR_PARALLEL = dist.new_group([0, 1])
DATA_PARALLEL = dist.new_group([0, 1])


def reduce_activations(step):
    part = torch.ones(4) * step
    dist.all_reduce(part, group=TENSOR_PARALLEL)
    return part


def reduce_gradients(step):
    gradient = torch.ones(4) * step
    dist.all_reduce(gradient, group=DATA_PARALLEL)
    return gradient


def train_step(step, overlap):
    if overlap:
        reduce_gradients(step)
        reduce_activations(step)
    else:
        reduce_activations(step)
        reduce_gradients(step)


if RANK == 0:
    print("MARK main pid=%d" % os.getppid(), flush=True)
step = 0
while True:
    train_step(step, overlap=False)
    step += 1
    time.sleep(0.01)
