import os
import time

import torch
import torch.distributed as dist
from torch.distributed.fsdp import fully_shard


class Reader(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.vision = torch.nn.Linear(32, 32)
        self.words = torch.nn.Linear(32, 32)

    def forward(self, words, pictures=None):
        if pictures is not None:
            words = words + self.vision(pictures)
        return self.words(words)


def load_batch(rank, step):
    words = torch.rand(4, 32)
    without = step % 10 == 9
    return words, None if without else torch.rand(4, 32)


def train_step(model, optimizer, batch):
    loss = model(*batch).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()


def shard(model):
    for part in (model.vision, model.words, model):
        fully_shard(part)
    return model


if __name__ == "__main__":
    dist.init_process_group("gloo")
    model = shard(Reader())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    if dist.get_rank() == 0:
        print("MARK main pid=%d" % os.getppid(), flush=True)
    step = 0
    while True:
        train_step(model, optimizer, load_batch(dist.get_rank(), step))
        step += 1
        time.sleep(0.01)
