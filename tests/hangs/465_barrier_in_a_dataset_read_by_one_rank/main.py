import os

import torch
from accelerate import Accelerator
from accelerate.utils import DataLoaderConfiguration
from torch.utils.data import DataLoader, IterableDataset

dispatching = DataLoaderConfiguration(dispatch_batches=True)
accelerator = Accelerator(cpu=True, dataloader_config=dispatching)


def open_shard(epoch):
    if epoch == 3:
        accelerator.wait_for_everyone()
    return torch.ones(64, 4)


class Shards(IterableDataset):
    epoch = 0

    def __iter__(self):
        self.epoch += 1
        yield from open_shard(self.epoch)


def train_epoch(loader):
    return sum(batch.sum() for batch in loader)


loader = accelerator.prepare(DataLoader(Shards(), batch_size=4))
if accelerator.is_main_process:
    print("MARK main pid=%d" % os.getppid(), flush=True)
while True:
    train_epoch(loader)
