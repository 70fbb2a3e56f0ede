import itertools
import multiprocessing
import os
import time

import torch
from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Archive:
    def __init__(self, folios):
        self.folios = folios
        self.reading = multiprocessing.get_context("fork").Lock()

    def open_folio(self, number):
        time.sleep(0.01)
        return [torch.full((8,), float(number * 10 + row)) for row in range(self.folios)]


class Folios(IterableDataset):
    def __init__(self, archive):
        self.archive = archive

    def read_folio(self, number):
        if WHOLE:
            with self.archive.reading:
                yield from self.archive.open_folio(number)
        else:
            with self.archive.reading:
                rows = self.archive.open_folio(number)
            yield from rows

    def __iter__(self):
        info = get_worker_info()
        for number in itertools.count(info.id, info.num_workers):
            yield from self.read_folio(number)


class Copyist:
    def __init__(self, loader):
        self.loader = loader
        self.mean = torch.zeros(8)

    def copy(self):
        for page in self.loader:
            self.mean = self.mean * 0.9 + page.mean(0) * 0.1
            time.sleep(0.005)


def main():
    torch.set_num_threads(1)
    loader = DataLoader(
        Folios(Archive(64)),
        batch_size=4,
        num_workers=2,
        multiprocessing_context="fork",
        persistent_workers=True,
    )
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Copyist(loader).copy()


WHOLE = True


if __name__ == "__main__":
    main()
