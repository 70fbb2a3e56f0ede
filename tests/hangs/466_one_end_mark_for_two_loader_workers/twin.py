import os

import torch.multiprocessing as mp
from torch.utils.data import DataLoader, IterableDataset


class Rows(IterableDataset):
    def __init__(self, queue):
        self.queue = queue

    def __iter__(self):
        while (row := self.queue.get()) is not None:
            yield row


def fill(queue, marks):
    for row in range(400):
        queue.put(row)
    for _ in range(marks):
        queue.put(None)


def consume(marks):
    queue = mp.Queue()
    producer = mp.Process(target=fill, args=(queue, marks))
    producer.start()
    total = sum(batch.sum().item() for batch in DataLoader(Rows(queue), 4, num_workers=2))
    producer.join()
    return total


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        consume(marks=2)
