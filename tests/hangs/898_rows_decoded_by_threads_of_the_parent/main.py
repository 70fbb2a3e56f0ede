import os
import time
from concurrent.futures import ThreadPoolExecutor

import torch
from torch.utils.data import DataLoader, Dataset


def decode(number, part):
    return torch.full((4,), float(number * 2 + part))


class Pictures(Dataset):
    """Pictures of two parts, which are decoded side by side."""

    def __init__(self):
        self.decoders = ThreadPoolExecutor(2, thread_name_prefix="decoder")

    def __len__(self):
        return 64

    def __getitem__(self, number):
        parts = [self.decoders.submit(decode, number, part) for part in range(2)]
        return torch.cat([part.result() for part in parts])


def train(loader):
    return sum(float(batch.mean()) for batch in loader)


LOOK_FIRST = True


if __name__ == "__main__":
    pictures = Pictures()
    if LOOK_FIRST:
        print("shape", pictures[0].shape, flush=True)
        time.sleep(0.1)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        train(DataLoader(pictures, batch_size=4, num_workers=1, multiprocessing_context="fork"))
