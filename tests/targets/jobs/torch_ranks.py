"""Ranks of torch with gloo that sum their gradients; one of them may hang: MODE is a way.

The rank comes from torchrun's variables or from Slurm's.
"""

import os
import sys
import time

import odd
import torch
import torch.distributed as dist

rank = int(os.environ.get("RANK") or os.environ["SLURM_PROCID"])
size = int(os.environ.get("WORLD_SIZE") or os.environ["SLURM_NTASKS"])
dist.init_process_group("gloo", rank=rank, world_size=size)
torch.set_num_threads(1)


def train(mode):
    gradient = torch.ones(8)
    for step in range(10**9):
        if step == 3 and rank == odd.ODD:
            odd.WAYS[mode]()
        time.sleep(0.05)
        dist.all_reduce(gradient)


train(sys.argv[1])
