import os

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
RANK = dist.get_rank()
RESUMED_AT = (1, 1)


def send_halo(field, step):
    dist.send(field[-1], dst=1, tag=step)


def receive_halo(field, step):
    dist.recv(field[0], src=0, tag=step)


def simulate(first):
    field = torch.ones(64, 4096)
    for step in range(first, 10000000):
        if RANK == 0:
            send_halo(field, step)
        else:
            receive_halo(field, step)
        field *= 0.5


if RANK == 0:
    print("MARK main pid=%d" % os.getppid(), flush=True)
simulate(RESUMED_AT[RANK])
