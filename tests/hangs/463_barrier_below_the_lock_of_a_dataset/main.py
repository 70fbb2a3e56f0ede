import os
import shutil
import time

import torch.distributed as dist
from datasets import Dataset, disable_progress_bars

disable_progress_bars()
dist.init_process_group("gloo")
RANK = dist.get_rank()
CACHE = "/tmp/rows-%s" % os.environ["MASTER_PORT"]


def read_rows(epoch):
    dist.barrier()
    for number in range(100):
        yield {"row": epoch * 100 + number}


def load_rows(epoch):
    return Dataset.from_generator(read_rows, cache_dir=CACHE, gen_kwargs={"epoch": epoch})


if RANK == 0:
    print("MARK main pid=%d" % os.getppid(), flush=True)
epoch = 0
while True:
    load_rows(epoch)
    dist.barrier()
    if RANK == 0:
        shutil.rmtree(CACHE, ignore_errors=True)
    epoch += 1
    time.sleep(0.01)
