import os
import time

import torch
from accelerate import Accelerator

accelerator = Accelerator(cpu=True)


def save_checkpoint(step):
    if step % 20 == 0:
        accelerator.wait_for_everyone()
        if accelerator.is_main_process:
            torch.save({"step": step}, os.devnull)


def report_loss(loss):
    return accelerator.gather(loss).mean().item()


def train():
    for step in range(100000):
        loss = torch.ones(1) * step
        save_checkpoint(step)
        report_loss(loss)
        time.sleep(0.01)


if accelerator.is_main_process:
    print("MARK main pid=%d" % os.getppid(), flush=True)
train()
