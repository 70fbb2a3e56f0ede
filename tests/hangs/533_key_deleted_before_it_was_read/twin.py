import os
import time
from datetime import timedelta

import torch.distributed as dist

dist.init_process_group("gloo", timeout=timedelta(hours=4))
RANK = dist.get_rank()
STORE = dist.PrefixStore("plans", dist.distributed_c10d._get_default_store())


def publish_plan(step):
    STORE.set("plan-%d" % step, "shards of step %d" % step)
    if step > 1:
        STORE.delete_key("plan-%d" % (step - 2))


def read_plan(step):
    return STORE.get("plan-%d" % step)


def work(plan):
    time.sleep(0.02)


def synchronize():
    dist.barrier()


if RANK == 0:
    print("MARK main pid=%d" % os.getppid(), flush=True)
step = 0
while True:
    if RANK == 0:
        publish_plan(step)
    else:
        work(step)
        work(read_plan(step))
    synchronize()
    step += 1
