import os
import signal
import time

import torch
import torch.distributed as dist


def save_before_end(number, frame):
    dist.barrier()
    torch.save({"step": STEP}, os.devnull)


STEP = 0
signal.signal(signal.SIGUSR1, save_before_end)


def tell(ranks):
    if dist.get_rank() in ranks:
        os.kill(os.getpid(), signal.SIGUSR1)


NOTIFIED = (0,)


def train_step(loss):
    dist.all_reduce(loss)
    time.sleep(0.02)


def train():
    global STEP
    loss = torch.zeros(2)
    while True:
        train_step(loss)
        STEP += 1
        if STEP % 20 == 0:
            tell(NOTIFIED)


if __name__ == "__main__":
    dist.init_process_group("gloo")
    if dist.get_rank() == 0:
        print("MARK main pid=%d" % os.getppid(), flush=True)
    train()
