import os
import time

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
RANK, SIZE = dist.get_rank(), dist.get_world_size()


def send_activations(batch):
    dist.send(batch, (RANK + 1) % SIZE)


def receive_activations():
    batch = torch.empty(1 << 20)
    dist.recv(batch, (RANK - 1) % SIZE)
    return batch


def exchange(step):
    mine = torch.ones(1 << 20) * step
    if SIZE > 1:
        send_activations(mine)
        return receive_activations()
    return mine


if RANK == 0:
    print("MARK main pid=%d" % os.getppid(), flush=True)
for step in range(100000):
    exchange(step)
    time.sleep(0.01)
