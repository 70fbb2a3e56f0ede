import os
import time

import torch
import torch.multiprocessing as mp


def embed(rank, results):
    for i in range(50):
        results.put((rank, i, torch.ones(4), "x" * 200))


def embed_all():
    context = mp.get_context("spawn")
    results = context.Queue()
    started = mp.spawn(embed, args=(results,), nprocs=2, join=False)
    for _ in range(100):
        results.get()
    while not started.join():
        time.sleep(0.01)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        embed_all()
