import os
import threading
import time

import torch
import torch.distributed as dist
from torch.testing._internal.distributed.multi_threaded_pg import _install_threaded_pg


def read_rows(rank, step):
    if step == BROKEN and rank == 2:
        raise ValueError("row %d of shard %d has no label" % (step, rank))
    return torch.full((4,), float(rank + step))


def average(rows):
    dist.all_reduce(rows)
    return rows / WORLD


def run_rank(rank, store):
    dist.init_process_group("threaded", rank=rank, world_size=WORLD, store=store)
    step = 0
    while True:
        average(read_rows(rank, step))
        step += 1
        time.sleep(0.02)


def main():
    torch._C._distributed_c10d._set_thread_isolation_mode(True)
    _install_threaded_pg()
    store = dist.HashStore()
    ranks = [
        threading.Thread(target=run_rank, args=(rank, store), name="rank-%d" % rank, daemon=True)
        for rank in range(WORLD)
    ]
    for rank in ranks:
        rank.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for rank in ranks:
        rank.join()


WORLD = 3
BROKEN = 40


if __name__ == "__main__":
    main()
