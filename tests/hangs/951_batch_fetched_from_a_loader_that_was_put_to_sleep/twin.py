import os
import signal
import time

import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __len__(self):
        return 10_000

    def __getitem__(self, number):
        return torch.full((3, 32, 32), float(number))


def signal_workers(batches, number):
    for worker in batches._workers:
        os.kill(worker.pid, number)


def evaluate(batches, step):
    signal_workers(batches, signal.SIGSTOP)
    accuracy = 0.5 + 0.5 / (1 + step)
    if accuracy < ENOUGH:
        return accuracy
    time.sleep(0.002)
    signal_workers(batches, signal.SIGCONT)
    return accuracy


def train(loader):
    batches = iter(loader)
    for step, pictures in enumerate(batches):
        time.sleep(0.02)
        pictures.mean()
        if step % 25 == 24:
            evaluate(batches, step)


ENOUGH = 0.5


if __name__ == "__main__":
    loader = DataLoader(Pictures(), batch_size=4, num_workers=2)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        train(loader)
