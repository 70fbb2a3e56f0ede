import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
import tempfile
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


class Sender:
    def __init__(self, peer, credits):
        self.peer = peer
        self.credits = credits

    def push(self, page):
        if self.credits == 0:
            self.await_credits()
        dist.send(page, self.peer)
        self.credits -= 1

    def await_credits(self):
        grant = torch.zeros(1, dtype=torch.int64)
        dist.recv(grant, self.peer)
        self.credits += int(grant)


def send_pages(pages, credits):
    sender = Sender(1, credits)
    while True:
        sender.push(torch.ones(64))
        time.sleep(0.01)


def take_pages(batch):
    taken = 0
    while True:
        page = take_page()
        taken += int(page[0])
        if taken == batch:
            dist.send(torch.tensor([taken]), 0)
            taken = 0


def take_page():
    page = torch.empty(64)
    dist.recv(page, 0)
    return page


def run(rank, path, joined):
    dist.init_process_group("gloo", init_method="file://" + path, rank=rank, world_size=2)
    joined.put(rank)
    if rank == 0:
        send_pages(64, CREDITS)
    else:
        take_pages(4)


CREDITS = 4


if __name__ == "__main__":
    context = mp.get_context("spawn")
    joined = context.SimpleQueue()
    path = os.path.join(tempfile.mkdtemp(prefix="pages-"), "meeting")
    ranks = [
        context.Process(target=run, args=(rank, path, joined), name=name, daemon=True)
        for rank, name in enumerate(("prefill", "decode"))
    ]
    for process in ranks:
        process.start()
    for process in ranks:
        joined.get()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for process in ranks:
        process.join()
