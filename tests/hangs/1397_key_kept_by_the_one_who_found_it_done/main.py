import multiprocessing
import os
import time
from datetime import timedelta

import torch
import torch.distributed as dist


class StoreLock:
    def __init__(self, store, name, owner):
        self.store = store
        self.name = name
        self.owner = owner.encode()

    def acquire(self):
        while self.store.compare_set(self.name, "", self.owner.decode()) != self.owner:
            time.sleep(0.01)

    def release(self):
        self.store.delete_key(self.name)


class ShardCache:
    def __init__(self, lock):
        self.lock = lock
        self.shards = {}

    def build(self, shard):
        self.lock.acquire()
        if shard in self.shards:
            if not KEEPS:
                self.lock.release()
            return self.shards[shard]
        time.sleep(0.01)
        self.shards[shard] = [shard] * 4
        self.lock.release()
        return self.shards[shard]


def average(rows):
    total = torch.tensor(float(sum(rows)))
    dist.all_reduce(total)
    return total.item() / 2


def train(rank, port):
    torch.set_num_threads(1)
    store = dist.TCPStore("127.0.0.1", port, is_master=False, timeout=timedelta(hours=1))
    dist.init_process_group("gloo", store=store, rank=rank, world_size=2)
    locks = dist.TCPStore("127.0.0.1", port, is_master=False)
    cache = ShardCache(StoreLock(locks, "cache-lock", "rank-%d" % rank))
    step = 0
    while True:
        rows = cache.build(step if step < 8 or rank else 3)
        average(rows)
        step += 1


def main():
    spawn = multiprocessing.get_context("spawn")
    store = dist.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
    ranks = [
        spawn.Process(target=train, args=(rank, store.port), name="rank-%d" % rank, daemon=True)
        for rank in range(2)
    ]
    for rank in ranks:
        rank.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for rank in ranks:
        rank.join()


KEEPS = True


if __name__ == "__main__":
    main()
