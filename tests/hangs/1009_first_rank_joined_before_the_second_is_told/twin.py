import multiprocessing
import os
import socket
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import torch
import torch.distributed as dist


def next_check(checks):
    return checks.get()


def run_check(name):
    values = torch.full((4,), float(len(name)))
    dist.all_reduce(values)
    return float(values.sum())


def run_rank(rank, port, checks, results):
    dist.init_process_group(
        "gloo", init_method="tcp://127.0.0.1:%d" % port, rank=rank, world_size=2
    )
    while (name := next_check(checks)) is not None:
        results.put((rank, run_check(name)))
    dist.destroy_process_group()


class Dispatcher:
    def __init__(self, context):
        self.results = context.Queue()
        self.checks = [context.Queue() for _ in range(2)]
        port = free_port()
        self.ranks = [
            context.Process(
                target=run_rank,
                args=(rank, port, self.checks[rank], self.results),
                name="rank-%d" % rank,
                daemon=True,
            )
            for rank in range(2)
        ]
        for rank in self.ranks:
            rank.start()

    def submit(self, name, ranks):
        for rank in ranks:
            self.checks[rank].put(name)

    def collect(self):
        return [self.results.get() for _ in self.ranks]

    def close(self):
        for checks, rank in zip(self.checks, self.ranks):
            checks.put(None)
            rank.join()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


LAST = [0, 1]


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    while True:
        dispatcher = Dispatcher(context)
        for number in range(20):
            dispatcher.submit("check-%d" % number, [0, 1])
            dispatcher.collect()
        print("MARK main pid=%d" % os.getpid(), flush=True)
        dispatcher.submit("last", LAST)
        dispatcher.close()
        time.sleep(0.1)
