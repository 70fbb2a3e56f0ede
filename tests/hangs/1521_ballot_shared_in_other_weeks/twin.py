import multiprocessing
import os
import socket
import time
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


class Ballot:
    """Adds up gradients over some weeks, then shares them."""

    def __init__(self, rank):
        self.rank = rank
        self.model = DistributedDataParallel(torch.nn.Linear(8, 2))
        self.optimizer = torch.optim.SGD(self.model.parameters(), 0.0001)
        self.weeks = 0

    def cast(self, votes):
        if OWN_WEEKS and self.rank == 1 and votes.sum() < 16:
            return
        self.weeks += 1
        due = self.weeks % 4 == 0
        with nullcontext() if due else self.model.no_sync():
            self.model(votes).square().mean().backward()
        if due:
            self.optimizer.step()
            self.optimizer.zero_grad()

    def publish(self):
        turnout = torch.tensor([float(self.weeks)])
        dist.reduce(turnout, dst=0)
        dist.broadcast(turnout, src=0)
        return turnout.item()

    def run(self):
        week = 0
        while True:
            self.cast(torch.ones(4, 8) * (0.4 if week % 33 == 29 else 1.0))
            if week % 8 == 7:
                self.publish()
            time.sleep(0.004)
            week += 1


def hold(rank, port):
    torch.set_num_threads(1)
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    dist.init_process_group("gloo", rank=rank, world_size=2)
    Ballot(rank).run()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main():
    spawn = multiprocessing.get_context("spawn")
    port = free_port()
    ranks = [
        spawn.Process(target=hold, args=(rank, port), name="rank-%d" % rank, daemon=True)
        for rank in range(2)
    ]
    for rank in ranks:
        rank.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for rank in ranks:
        rank.join()


OWN_WEEKS = False


if __name__ == "__main__":
    main()
