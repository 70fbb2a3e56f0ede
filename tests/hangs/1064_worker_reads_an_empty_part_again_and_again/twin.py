import os
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import datasets
import torch
from torch.utils.data import DataLoader, IterableDataset


def read_shards(shards):
    for shard in shards:
        for number in range(50):
            yield {"text": f"{shard}-{number}", "length": number}


class Endless(IterableDataset):
    def __init__(self, rows):
        self.rows = rows

    def __iter__(self):
        while True:
            for row in self.rows:
                yield row["length"]


def train(model, loader):
    for lengths in loader:
        model(lengths.float().unsqueeze(1))
        time.sleep(0.01)


SHARDS = 2


if __name__ == "__main__":
    datasets.utils.logging.set_verbosity_error()
    rows = datasets.IterableDataset.from_generator(
        read_shards, gen_kwargs={"shards": [f"part-{number}" for number in range(SHARDS)]}
    )
    loader = DataLoader(Endless(rows), batch_size=4, num_workers=2)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    train(torch.nn.Linear(1, 1), loader)
