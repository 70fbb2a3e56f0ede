import os
import time
from concurrent.futures import ThreadPoolExecutor

import torch

POOL = ThreadPoolExecutor(2, thread_name_prefix="tuner")


@torch.compile(backend="eager")
def reference(batch):
    return (batch * 2).sum()


def measure(graph, examples):
    reference(torch.ones(4))
    start = time.perf_counter()
    graph(*examples)
    return time.perf_counter() - start


def tuned(graph, examples):
    POOL.submit(measure, graph.forward, examples).result()
    return graph.forward


def score_all():
    layer = torch.nn.Linear(8, 2)
    while True:
        torch._dynamo.reset()
        model = torch.compile(layer, backend=tuned)
        with torch.no_grad():
            model(torch.ones(3, 8))
        time.sleep(0.02)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    score_all()
