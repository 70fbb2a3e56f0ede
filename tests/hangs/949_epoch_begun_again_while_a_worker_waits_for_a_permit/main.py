import multiprocessing
import os
import time

import torch
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, permits):
        self.permits = permits

    def __len__(self):
        return 200

    def __getitem__(self, number):
        self.permits.acquire()
        return torch.full((8,), float(number))


def train_epoch(loader, permits, enough):
    for step, rows in enumerate(loader):
        for _ in rows:
            permits.release()
        time.sleep(0.02)
        if step == enough:
            break


ENOUGH = 20


if __name__ == "__main__":
    permits = multiprocessing.Semaphore(6)
    loader = DataLoader(Rows(permits), batch_size=2, num_workers=2, persistent_workers=True)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        train_epoch(loader, permits, ENOUGH)
