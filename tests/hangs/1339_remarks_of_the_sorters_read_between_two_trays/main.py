import multiprocessing
import os
import queue

import torch
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self, remarks, count):
        self.remarks = remarks
        self.count = count

    def __len__(self):
        return self.count

    def remark(self, index, text):
        self.remarks.put((os.getpid(), index, text))

    def __getitem__(self, index):
        row = torch.full((8,), float(index))
        if index % 7 == 3:
            self.remark(index, "blank field")
        if index >= 96:
            self.remark(index, "written by hand")
        return row


class Clerk:
    def __init__(self, remarks):
        self.remarks = remarks
        self.seen = []

    def read_remarks(self):
        while True:
            try:
                self.seen.append(self.remarks.get_nowait())
            except queue.Empty:
                return


def train(loader, clerk):
    total = torch.zeros(8)
    for batch in loader:
        total += batch.sum(dim=0)
        clerk.read_remarks()
    return total


def main():
    torch.set_num_threads(1)
    remarks = multiprocessing.Queue(ROOM)
    loader = DataLoader(Rows(remarks, 256), batch_size=32, num_workers=2, persistent_workers=True)
    clerk = Clerk(remarks)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        train(loader, clerk)


ROOM = 24


if __name__ == "__main__":
    main()
