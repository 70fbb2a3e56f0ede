import os
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import torch
import torch.distributed as dist


def make_group(ranks):
    if dist.get_rank() in ranks:
        return dist.new_group(ranks, use_local_synchronization=True)


def make_groups():
    if dist.get_rank() in LAYOUT:
        make_group([dist.get_rank()])
    return make_group([0, 1])


def train(group):
    while True:
        dist.all_reduce(torch.ones(8), group=group)
        time.sleep(0.01)


LAYOUT = (0,)


if __name__ == "__main__":
    dist.init_process_group("gloo")
    if dist.get_rank() == 0:
        print("MARK main pid=%d" % os.getppid(), flush=True)
    train(make_groups())
