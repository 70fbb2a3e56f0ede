import os
import tempfile
import time

import torch
import torch.distributed as dist
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.nn.parallel import DistributedDataParallel

FOLDER = tempfile.mkdtemp(prefix="states-")


def save_states(optimizer, step):
    optimizer.consolidate_state_dict(to=0)
    if dist.get_rank() == 0:
        torch.save(optimizer.state_dict(), os.path.join(FOLDER, "optimizer.pt"))


def train(model, optimizer):
    step = 0
    while True:
        model(torch.ones(2, 8)).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
        if step % 10 == 9 and saves():
            save_states(optimizer, step)
        step += 1
        time.sleep(0.02)


def saves():
    return dist.get_rank() == 0


if __name__ == "__main__":
    dist.init_process_group("gloo")
    model = DistributedDataParallel(torch.nn.Sequential(*(torch.nn.Linear(8, 8) for _ in range(4))))
    optimizer = ZeroRedundancyOptimizer(model.parameters(), torch.optim.Adam, lr=0.01)
    if dist.get_rank() == 0:
        print("MARK main pid=%d" % os.getppid(), flush=True)
    train(model, optimizer)
