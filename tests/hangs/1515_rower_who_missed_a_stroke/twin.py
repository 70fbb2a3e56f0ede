import multiprocessing
import os
import socket
import time

import torch
import torch.distributed as dist
from torch.distributed.algorithms.model_averaging.averagers import PeriodicModelAverager


class Rower:
    def __init__(self, rank):
        self.rank = rank
        self.model = torch.nn.Linear(8, 4)
        self.optimizer = torch.optim.SGD(self.model.parameters(), 0.001)
        self.averager = PeriodicModelAverager(period=4, warmup_steps=4)

    def rows(self, stroke):
        count = 0 if EMPTY and self.rank == 1 and stroke % 30 == 22 else 6
        return torch.rand(count, 8)

    def stroke(self, rows):
        if not len(rows):
            return
        self.model(rows).square().mean().backward()
        self.optimizer.step()
        self.averager.average_parameters(self.model.parameters())
        self.optimizer.zero_grad()

    def call_time(self, stroke):
        times = [None, None]
        dist.all_gather_object(times, (self.rank, stroke))
        return times

    def race(self):
        stroke = 0
        while True:
            self.stroke(self.rows(stroke))
            if stroke % 10 == 9:
                self.call_time(stroke)
            time.sleep(0.004)
            stroke += 1


def row(rank, port):
    torch.set_num_threads(1)
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    dist.init_process_group("gloo", rank=rank, world_size=2)
    Rower(rank).race()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main():
    spawn = multiprocessing.get_context("spawn")
    port = free_port()
    crew = [
        spawn.Process(target=row, args=(rank, port), name="rank-%d" % rank, daemon=True)
        for rank in range(2)
    ]
    for one in crew:
        one.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for one in crew:
        one.join()


EMPTY = False


if __name__ == "__main__":
    main()
