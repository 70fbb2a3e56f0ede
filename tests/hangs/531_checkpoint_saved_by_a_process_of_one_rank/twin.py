import os
import shutil
import time

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint.state_dict_saver import AsyncCheckpointerType

STATE = {"weight": torch.ones(8)}


def save_in_background(step):
    folder = "/tmp/saved-%s-%d" % (os.environ["MASTER_PORT"], step)
    saving = dcp.async_save(
        STATE, checkpoint_id=folder, async_checkpointer_type=AsyncCheckpointerType.PROCESS
    )
    return saving, folder


def finish(saving, folder):
    saving.result()
    shutil.rmtree(folder, ignore_errors=True)


def report_loss(step):
    loss = torch.ones(1) * step
    dist.all_reduce(loss)
    return loss


def train():
    for step in range(100000):
        if step % 10 == 0:
            finish(*save_in_background(step))
        report_loss(step)
        time.sleep(0.1)


if __name__ == "__main__":
    dist.init_process_group("gloo")
    if dist.get_rank() == 0:
        print("MARK main pid=%d" % os.getppid(), flush=True)
    train()
