"""A rank of torch that works for some seconds, then ends: MODE is a way, SECONDS for how long.

Started by torchrun, with gloo; MODE loader is a program of its own.
"""

import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import ready
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, Dataset

RANK = int(os.environ.get("RANK", "0"))
torch.set_num_threads(1)
SECONDS = float(sys.argv[2])


class Shards(Dataset):
    def __len__(self):
        return 48

    def __getitem__(self, index):
        time.sleep(0.005)
        return torch.full((4,), float(index))


def compute(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        torch.ones(64, 64) @ torch.ones(64, 64)


def rounds():
    """Numbers of rounds, the same for all ranks: the first says when it is enough."""
    start, number = time.monotonic(), 0
    goes_on = torch.ones(1)
    while True:
        goes_on[0] = time.monotonic() - start < SECONDS
        dist.broadcast(goes_on, 0)
        if not goes_on.item():
            return
        yield number
        number += 1
        if number == 1 and RANK == 0:
            ready.ready()


def model():
    return torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 1))


def trained(net, batch, optimizer):
    optimizer.zero_grad()
    net(batch).sum().backward()
    optimizer.step()


def ddp():
    """Gradients are summed; each epoch has its own workers that load."""
    net = model()
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    for _ in rounds():
        for batch in DataLoader(Shards(), batch_size=4, num_workers=2):
            trained(net, batch, optimizer)


def slow():
    """One rank needs seconds for its step: computing, then asleep."""
    net = model()
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    for number in rounds():
        if RANK == 1:
            compute(2.0) if number % 2 else time.sleep(2.0)
        trained(net, torch.ones(4, 4), optimizer)


def saves():
    """The first rank writes for a while what the others wait for at a barrier."""
    net = model()
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    for _ in rounds():
        trained(net, torch.ones(4, 4), optimizer)
        if RANK == 0:
            torch.save(net.state_dict(), os.devnull)
            time.sleep(0.5)
        dist.barrier()


def collectives():
    """Many kinds of operations, sends and receives, and keys of the store."""
    size = dist.get_world_size()
    store = dist.distributed_c10d._get_default_store()
    for number in rounds():
        some = torch.ones(1 << 14)
        dist.all_reduce(some)
        dist.all_gather([torch.empty(4) for _ in range(size)], torch.ones(4))
        dist.reduce(some, 1)
        if RANK == 0:
            dist.send(some, 1)
            time.sleep(0.3)
            store.set("round-%d" % number, "done")
        elif RANK == 1:
            dist.recv(some, 0)
        store.wait(["round-%d" % number])
        dist.barrier()


def loader():
    """Workers that load for a program without ranks, kept over the epochs."""
    end = time.monotonic() + SECONDS
    batches = DataLoader(Shards(), batch_size=4, num_workers=2, persistent_workers=True)
    told = False
    while time.monotonic() < end:
        for batch in batches:
            time.sleep(0.02)
            batch.sum().item()
            if not told:
                told = True
                ready.ready()


if __name__ == "__main__":
    if "RANK" in os.environ:
        dist.init_process_group("gloo")
    globals()[sys.argv[1]]()
    if dist.is_initialized():
        dist.destroy_process_group()
