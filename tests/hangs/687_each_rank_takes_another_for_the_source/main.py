import os
import time

import torch
import torch.distributed as dist


def newest_checkpoint(rank):
    steps = [40, 41]
    if STALE:
        steps[rank] = 39
    return steps.index(max(steps)), max(steps)


STALE = True


def load_weights(rank):
    source, step = newest_checkpoint(rank)
    weights = [{"step": step, "bias": [0.0] * 8}] if rank == source else [None]
    dist.broadcast_object_list(weights, src=source)
    return weights[0]


def serve(rank):
    bias = torch.zeros(8)
    while True:
        load_weights(rank)
        dist.all_reduce(bias)
        time.sleep(0.05)


if __name__ == "__main__":
    dist.init_process_group("gloo")
    if dist.get_rank() == 0:
        print("MARK main pid=%d" % os.getppid(), flush=True)
    serve(dist.get_rank())
