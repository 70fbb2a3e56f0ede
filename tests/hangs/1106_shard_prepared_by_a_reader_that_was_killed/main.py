import multiprocessing
import os
import tempfile
import time
from multiprocessing.shared_memory import SharedMemory

MISSING, PREPARING, PRESENT = range(3)


class Cache:
    def __init__(self, folder, states, lock):
        self.folder = folder
        self.states = states
        self.lock = lock

    def path(self, shard):
        return os.path.join(self.folder, "shard-%05d" % shard)

    def prepare(self, shard):
        with self.lock:
            state = self.states.buf[shard]
            if state == MISSING:
                self.states.buf[shard] = PREPARING
        if state == MISSING:
            self.download(shard)
            self.states.buf[shard] = PRESENT
        while self.states.buf[shard] == PREPARING:
            time.sleep(0.05)

    def download(self, shard):
        with open(self.path(shard), "wb") as file:
            for part in range(8):
                time.sleep(0.02)
                file.write(bytes(1024))

    def read(self, shard):
        self.prepare(shard)
        with open(self.path(shard), "rb") as file:
            return file.read()


def warm_up(cache, shards):
    for shard in shards:
        cache.read(shard)


def score(shards):
    states, lock = SharedMemory(create=True, size=64), multiprocessing.Lock()
    cache = Cache(tempfile.mkdtemp(prefix="shards-"), states, lock)
    try:
        reader = multiprocessing.Process(target=warm_up, args=(cache, shards), name="warm-up")
        reader.start()
        reader.join(WARM_UP_S)
        reader.kill()
        reader.join()
        return sum(len(cache.read(shard)) for shard in shards)
    finally:
        states.close()
        states.unlink()


WARM_UP_S = 0.5


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        score(range(6))
