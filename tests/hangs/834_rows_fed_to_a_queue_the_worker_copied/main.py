import os
import queue
import threading
import time

from datasets import IterableDataset
from torch.utils.data import DataLoader

ROWS = queue.Queue(maxsize=16)


def feed():
    number = 0
    while True:
        ROWS.put(number)
        number += 1
        time.sleep(0.002)


def live_rows():
    for count in range(32):
        yield {"row": ROWS.get()}


def train_epoch():
    rows = IterableDataset.from_generator(live_rows)
    loader = DataLoader(rows, batch_size=8, num_workers=WORKERS)
    return sum(int(batch["row"].sum()) for batch in loader)


WORKERS = 1


if __name__ == "__main__":
    threading.Thread(target=feed, name="feeder", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        train_epoch()
