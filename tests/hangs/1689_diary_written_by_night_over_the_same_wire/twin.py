import os
import threading
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


class Diary:
    def __init__(self, group):
        self.group = group
        self.wanted = threading.Event()
        self.count = 0
        threading.Thread(target=self.run, name="diarist", daemon=True).start()

    def run(self):
        while True:
            self.wanted.wait()
            self.wanted.clear()
            self.write_day()

    def write_day(self):
        sizes = torch.tensor([float(self.count)] * 8)
        dist.all_reduce(sizes, group=self.group)
        self.count += 1


class Expedition:
    def __init__(self, rank, diary):
        self.rank = rank
        self.diary = diary
        self.miles = torch.zeros(64)

    def march(self):
        share = torch.ones(4)
        dist.broadcast(share, src=0)
        self.miles += share.sum()

    def day(self, number):
        if number % 3 == 2:
            self.diary.wanted.set()
            if self.rank == 1:
                time.sleep(0.3)
        self.march()
        time.sleep(0.1)


def travel(rank, port):
    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo", init_method="tcp://127.0.0.1:%d" % port, rank=rank, world_size=2
    )
    own = dist.new_group([0, 1]) if APART else None
    expedition = Expedition(rank, Diary(own))
    number = 0
    while True:
        expedition.day(number)
        number += 1


APART = True


if __name__ == "__main__":
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    ranks = mp.spawn(travel, args=(port,), nprocs=2, join=False)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while not ranks.join():
        pass
