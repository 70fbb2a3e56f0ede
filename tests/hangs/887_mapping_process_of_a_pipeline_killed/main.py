import os
import signal
import time

import torch
from torchdata.nodes import IterableWrapper, Loader, ParallelMapper

LIMIT = 40


def decode(number):
    if number == LIMIT:
        os.kill(os.getpid(), signal.SIGKILL)
    return torch.full((8,), float(number % 100))


def train(loader):
    total = 0.0
    for rows in loader:
        total += float(rows.sum())
        time.sleep(0.01)
    return total


def open_rows():
    source = IterableWrapper(range(10**9))
    return Loader(ParallelMapper(source, decode, num_workers=1, method="process"))


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    train(open_rows())
