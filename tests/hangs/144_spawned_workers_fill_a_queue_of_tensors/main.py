import os

import torch
import torch.multiprocessing as mp


def embed(rank, results):
    for i in range(600):
        results.put((rank, i, torch.ones(4), "x" * 200))


def embed_all():
    context = mp.get_context("spawn")
    results = context.Queue()
    mp.spawn(embed, args=(results,), nprocs=2, join=True)
    return [results.get() for _ in range(1200)]


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    embed_all()
