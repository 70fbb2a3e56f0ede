import datetime as dt
import os
import threading
import time

import torch.distributed as dist

dist.init_process_group("gloo", timeout=dt.timedelta(minutes=30))
RANK = dist.get_rank()


def collect_sizes():
    sizes = [None, None]
    dist.all_gather_object(sizes, {"rank": RANK})
    return sizes


def save(step):
    if step == 10 and RANK == 0:
        time.sleep(1)
    elif step != 10:
        time.sleep(0.05)
    collect_sizes()


def finish_save(step):
    if step == 10 and RANK == 1:
        time.sleep(1)
    dist.barrier()


def train():
    for step in range(100000):
        saver = threading.Thread(target=save, args=(step,), name="checkpoint-saver")
        saver.start()
        finish_save(step)
        saver.join()


if RANK == 0:
    print("MARK main pid=%d" % os.getppid(), flush=True)
train()
