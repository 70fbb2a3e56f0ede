import multiprocessing
import os
import time

import torch
from torch.utils.data import DataLoader, Dataset

cache_lock = multiprocessing.Lock()


class Shards(Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, i):
        return torch.ones(4)


def open_cache(worker):
    with cache_lock:
        time.sleep(0.01)


def first_batch(loader):
    with cache_lock:
        time.sleep(0.01)
    return next(iter(loader))


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        loader = DataLoader(
            Shards(),
            batch_size=4,
            num_workers=2,
            worker_init_fn=open_cache,
            persistent_workers=True,
        )
        first_batch(loader)
        for batch in loader:
            time.sleep(0.01)
