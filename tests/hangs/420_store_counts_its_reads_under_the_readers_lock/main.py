import os
import signal
import threading

import numpy
import zarr
from zarr.storage import MemoryStore, WrapperStore

signal.alarm(120)


class CountedStore(WrapperStore):
    def __init__(self, store):
        super().__init__(store)
        self.lock = threading.Lock()
        self.reads = 0

    async def get(self, *arguments, **options):
        with self.lock:
            self.reads += 1
        return await super().get(*arguments, **options)


def make_heights(store):
    heights = zarr.create_array(store, shape=(400, 400), chunks=(100, 100), dtype="f4")
    heights[:] = numpy.random.default_rng(5).random((400, 400))
    return heights


def highest_point(heights, store):
    with store.lock:
        top = float(heights[:].max())
        return top, store.reads


if __name__ == "__main__":
    store = CountedStore(MemoryStore())
    heights = make_heights(store)
    print("MARK main pid=%d" % os.getpid())
    print(highest_point(heights, store))
