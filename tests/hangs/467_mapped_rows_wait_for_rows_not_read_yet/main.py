import os
import threading

import torchdata.nodes as nodes

FOUND = [threading.Event() for _ in range(1000)]


def pair(row):
    FOUND[row].set()
    FOUND[(row + 500) % 1000].wait()
    return row


def train(workers):
    source = nodes.SamplerWrapper(range(1000))
    mapper = nodes.ParallelMapper(source, pair, num_workers=workers, method="thread")
    return sum(nodes.Loader(mapper))


print("MARK main pid=%d" % os.getpid(), flush=True)
while True:
    train(workers=2)
