import os
import time

import torch
from accelerate import Accelerator
from accelerate.data_loader import prepare_data_loader
from torch.utils.data import DataLoader, IterableDataset


class Readings(IterableDataset):
    def __iter__(self):
        for number in range(64):
            yield torch.full((2,), float(number))


def train_epoch(accelerator, loader, epoch):
    total = 0.0
    for rows in loader:
        total += float(rows.mean())
        if total > LIMITS[accelerator.process_index]:
            break
        time.sleep(0.005)
    return total


def end_epoch(accelerator, total):
    accelerator.wait_for_everyone()
    return total


LIMITS = [10**9, 10**9]


if __name__ == "__main__":
    accelerator = Accelerator(cpu=True)
    loader = prepare_data_loader(
        DataLoader(Readings(), batch_size=4), dispatch_batches=True, put_on_device=True
    )
    if accelerator.is_main_process:
        print("MARK main pid=%d" % os.getppid(), flush=True)
    epoch = 0
    while True:
        end_epoch(accelerator, train_epoch(accelerator, loader, epoch))
        epoch += 1
