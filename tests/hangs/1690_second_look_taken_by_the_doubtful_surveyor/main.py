import os
import socket
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel


class Survey:
    def __init__(self, rank):
        self.slope = DistributedDataParallel(torch.nn.Linear(3, 1))
        tolerance = 1e-9 if rank == 1 or EQUAL else 1e6
        self.fit = torch.optim.LBFGS(
            self.slope.parameters(), lr=0.1, max_iter=4, tolerance_grad=tolerance
        )
        self.points = torch.randn(16, 3)

    def measure(self):
        self.fit.zero_grad()
        loss = (self.slope(self.points) - 1).square().mean()
        loss.backward()
        return loss

    def improve(self):
        self.points = torch.randn(16, 3)
        return self.fit.step(self.measure)

    def agree(self, loss):
        total = loss.detach().clone()
        dist.all_reduce(total)
        return float(total) / 2

    def run(self):
        while True:
            self.agree(self.improve())
            time.sleep(0.05)


def go_out(rank, port):
    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo", init_method="tcp://127.0.0.1:%d" % port, rank=rank, world_size=2
    )
    Survey(rank).run()


EQUAL = False


if __name__ == "__main__":
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    surveyors = mp.spawn(go_out, args=(port,), nprocs=2, join=False)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while not surveyors.join():
        pass
