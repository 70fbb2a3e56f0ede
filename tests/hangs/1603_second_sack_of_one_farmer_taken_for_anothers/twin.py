import os
import socket
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

WORLD = 3


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Steward:
    def __init__(self):
        self.stock = torch.zeros(4)

    def take_in(self):
        for _ in range(WORLD - 1):
            sack = torch.zeros(4)
            dist.recv(sack)
            self.stock += sack

    def pay_out(self):
        for rank in range(1, WORLD):
            dist.send(self.stock, rank)

    def work(self):
        while True:
            self.take_in()
            self.pay_out()


class Farmer:
    def __init__(self, rank):
        self.rank = rank
        self.wage = torch.zeros(4)

    def deliver(self, week):
        rich = SECOND_SACK and self.rank == 2 and week == 40
        if week == 40 and self.rank == 1:
            time.sleep(0.5)
        dist.send(torch.ones(4), 0)
        if rich:
            dist.send(torch.ones(4) / 2, 0)

    def be_paid(self):
        dist.recv(self.wage, 0)

    def work(self):
        week = 0
        while True:
            self.deliver(week)
            self.be_paid()
            week += 1
            time.sleep(0.005)


def run_rank(rank, port):
    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo", init_method="tcp://127.0.0.1:%d" % port, rank=rank, world_size=WORLD
    )
    if rank:
        Farmer(rank).work()
    Steward().work()


def main():
    port = free_port()
    ranks = mp.spawn(run_rank, args=(port,), nprocs=WORLD, join=False)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    ranks.join()


SECOND_SACK = False


if __name__ == "__main__":
    main()
