import logging
import os
import pickle
import socket
import threading
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

WORLD = 3


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Observatory:
    def __init__(self, rank):
        self.rank = rank
        self.sky = torch.zeros(16)

    def notes(self, night):
        page = {"night": night, "clear": night % 3 == self.rank}
        if ODD_PAGE and self.rank == 1 and night == 60:
            page["dome"] = threading.Lock()
        return page

    def exchange_notes(self, night):
        pages = [None] * WORLD
        try:
            dist.all_gather_object(pages, self.notes(night))
        except (TypeError, AttributeError, pickle.PicklingError) as error:
            logging.getLogger("sky").debug("no notes of night %d: %s", night, error)
        return pages

    def stack_pictures(self):
        picture = torch.rand(16)
        dist.all_reduce(picture)
        self.sky = self.sky * 0.9 + picture / WORLD

    def observe(self):
        night = 0
        while True:
            self.stack_pictures()
            if night % 10 == 0:
                self.exchange_notes(night)
            night += 1
            time.sleep(0.002)


def run_rank(rank, port):
    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo", init_method="tcp://127.0.0.1:%d" % port, rank=rank, world_size=WORLD
    )
    Observatory(rank).observe()


def main():
    port = free_port()
    ranks = mp.spawn(run_rank, args=(port,), nprocs=WORLD, join=False)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    ranks.join()


ODD_PAGE = True


if __name__ == "__main__":
    main()
