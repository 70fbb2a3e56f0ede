import os
import time

import torch
import torch.multiprocessing as mp
from torch.utils.data import DataLoader, Dataset

BUFFERS = 3


class Frames(Dataset):
    def __init__(self, free):
        self.free = free

    def __len__(self):
        return 256

    def __getitem__(self, number):
        if number // 4 % 2 == 0:
            time.sleep(0.02)
        return torch.ones(8) * number

    def stack(self, frames):
        self.free.acquire()
        return torch.stack(frames)


def train_epoch(frames):
    loader = DataLoader(
        frames, batch_size=4, num_workers=2, prefetch_factor=4, collate_fn=frames.stack
    )
    for batch in loader:
        batch.sum()
        frames.free.release()


if __name__ == "__main__":
    frames = Frames(mp.Semaphore(BUFFERS))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        train_epoch(frames)
