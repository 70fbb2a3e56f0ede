import os
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def train_epoch(model, optimizer):
    model.train()
    for _ in range(5):
        optimizer.zero_grad()
        model(torch.rand(16, 8)).sum().backward()
        optimizer.step()


@torch.no_grad()
def validate(model):
    judged = model if WRAPPED else model.module
    judged.eval()
    return sum(float(judged(torch.rand(16, 8)).mean()) for _ in range(6))


def end_epoch():
    dist.barrier()


def main():
    dist.init_process_group("gloo")
    net = torch.nn.Sequential(
        torch.nn.Linear(8, 16), torch.nn.BatchNorm1d(16), torch.nn.Linear(16, 1)
    )
    model = DistributedDataParallel(net)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    if dist.get_rank() == 0:
        print("MARK main pid=%d" % os.getppid(), flush=True)
    while True:
        train_epoch(model, optimizer)
        if dist.get_rank() == 0:
            validate(model)
        end_epoch()
        time.sleep(0.05)


WRAPPED = True


if __name__ == "__main__":
    main()
