import os
import time

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard


class Diary:
    """Notes of the first rank."""

    def __init__(self, rank, every):
        self.rank = rank
        self.every = every
        self.lines = []

    def note(self, step, weight):
        if step % self.every:
            return
        if ALONE and self.rank:
            return
        self.write(step, weight)

    def write(self, step, weight):
        length = weight.norm().full_tensor().item()
        if self.rank == 0:
            self.lines = [*self.lines[-9:], "%d %.3f" % (step, length)]


class Weaver:
    def __init__(self, rank):
        mesh = init_device_mesh("cpu", (2,))
        self.loom = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.Linear(16, 4))
        for layer in self.loom:
            fully_shard(layer, mesh=mesh)
        fully_shard(self.loom, mesh=mesh)
        self.optimizer = torch.optim.SGD(self.loom.parameters(), 0.001)
        self.diary = Diary(rank, 10)

    def weave(self, threads):
        self.loom(threads).square().mean().backward()
        self.optimizer.step()
        self.optimizer.zero_grad()

    def run(self):
        step = 1
        while True:
            self.weave(torch.ones(4, 16))
            self.diary.note(step, self.loom[0].weight)
            time.sleep(0.002)
            step += 1


def main():
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    rank = dist.get_rank()
    weaver = Weaver(rank)
    dist.barrier()
    if rank == 0:
        print("MARK main pid=%d" % os.getppid(), flush=True)
    weaver.run()


ALONE = True


if __name__ == "__main__":
    main()
