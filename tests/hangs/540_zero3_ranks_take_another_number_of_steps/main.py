import os
import time

import deepspeed
import torch

CONFIG = {
    "train_micro_batch_size_per_gpu": 1,
    "zero_optimization": {"stage": 3},
    "zero_force_ds_cpu_optimizer": False,
    "steps_per_print": 10**9,
}


class Router(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = torch.nn.Linear(8, 8)
        self.image_expert = torch.nn.Linear(8, 8)

    def forward(self, batch, has_images):
        hidden = self.gate(batch)
        if has_images:
            hidden = self.image_expert(hidden)
        return hidden.mean()


def evaluate(engine, step):
    rank = deepspeed.comm.get_rank()
    with torch.no_grad():
        loss = engine(torch.ones(1, 8), has_images=step % 5 == 4 and rank == 1)
    return average(loss)


def average(loss):
    loss = loss.reshape(1).clone()
    deepspeed.comm.all_reduce(loss)
    return loss


def main():
    deepspeed.init_distributed("gloo")
    model = Router()
    engine, *_ = deepspeed.initialize(
        model=model, optimizer=torch.optim.SGD(model.parameters(), lr=0.01), config=CONFIG
    )
    if deepspeed.comm.get_rank() == 0:
        print("MARK main pid=%d" % os.getppid(), flush=True)
    step = 0
    while True:
        evaluate(engine, step)
        step += 1
        time.sleep(0.01)


main()
