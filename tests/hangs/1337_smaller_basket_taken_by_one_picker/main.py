import os

import torch
from accelerate import Accelerator
from accelerate.utils import find_executable_batch_size


class Orchard:
    def __init__(self, rank):
        self.rank = rank
        self.heavy = HEAVY and rank == 1

    def check_room(self, size):
        if self.heavy and size > 8:
            self.heavy = False
            raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")

    def load(self, size):
        return torch.randn(size, 32), torch.randn(size, 1)


def train(accelerator, orchard):
    @find_executable_batch_size(starting_batch_size=16)
    def pick(size):
        accelerator.free_memory()
        model = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.Linear(64, 1))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
        model, optimizer = accelerator.prepare(model, optimizer)
        while True:
            rows, targets = orchard.load(size)
            orchard.check_room(size)
            loss = (model(rows) - targets).square().mean()
            optimizer.zero_grad()
            accelerator.backward(loss)
            optimizer.step()

    pick()


def main():
    torch.set_num_threads(1)
    accelerator = Accelerator(cpu=True)
    orchard = Orchard(accelerator.process_index)
    accelerator.wait_for_everyone()
    if accelerator.is_main_process:
        print("MARK main pid=%d" % os.getppid(), flush=True)
    train(accelerator, orchard)


HEAVY = True


if __name__ == "__main__":
    main()
