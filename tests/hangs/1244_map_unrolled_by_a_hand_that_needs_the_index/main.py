import io
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy


class Index:
    def __init__(self, path):
        self.path = path
        self.reads = 0

    def note(self, size):
        self.reads += 1
        if NOTED:
            with h5py.File(self.path, "a") as book:
                book.attrs["reads"] = self.reads
        return size


class Chest(io.BytesIO):
    fetch = ThreadPoolExecutor(1, thread_name_prefix="fetch")
    index = None

    def readinto(self, room):
        size = super().readinto(room)
        if self.index is not None:
            size = self.fetch.submit(self.index.note, size).result()
        return size


class Atlas:
    def __init__(self, folder):
        self.chest = Chest()
        with h5py.File(self.chest, "w") as made:
            made["sheet"] = numpy.arange(100000)
        self.chest.index = Index(os.path.join(folder, "index.h5"))

    def sheet(self):
        with h5py.File(self.chest, "r") as rolled:
            return int(rolled["sheet"][:].sum())


NOTED = True

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        atlas = Atlas(folder)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        while True:
            atlas.sheet()
