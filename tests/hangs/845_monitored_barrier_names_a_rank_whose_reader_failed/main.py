import datetime
import os
import queue
import threading
import time

import torch
import torch.distributed as dist

SHARDS = {0: [1, 2, 3, 4], 1: [5, 6, 0, 7]}


class Reader(threading.Thread):
    """Reads the shards of a rank ahead of its training."""

    def __init__(self, rank):
        super().__init__(name="shard-reader", daemon=True)
        self.rank = rank
        self.rows = queue.Queue(maxsize=4)

    def run(self):
        while True:
            for shard in SHARDS[self.rank]:
                self.rows.put(torch.full((2,), 1.0 / shard))

    def next_rows(self):
        return self.rows.get()


def train(rank):
    reader = Reader(rank)
    reader.start()
    while True:
        rows = reader.next_rows()
        check_in()
        dist.all_reduce(rows)
        time.sleep(0.02)


def check_in():
    dist.monitored_barrier(timeout=datetime.timedelta(days=1), wait_all_ranks=True)


if __name__ == "__main__":
    dist.init_process_group("gloo")
    if dist.get_rank() == 0:
        print("MARK main pid=%d" % os.getppid(), flush=True)
    train(dist.get_rank())
