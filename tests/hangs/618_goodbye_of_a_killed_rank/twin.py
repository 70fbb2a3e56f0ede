import os
import signal
import socket
import sys
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

RANKS = 3


def end_gracefully(signum, frame):
    sys.exit(0)


def say_goodbye(rank):
    store = dist.distributed_c10d._get_default_store()
    store.set("goodbye-%d" % rank, "")
    store.wait(["goodbye-%d" % other for other in range(RANKS)])


def load_batch(rank, step):
    if rank == 1 and step == LARGE:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.02)


LARGE = -1


def train(rank, port):
    signal.signal(signal.SIGTERM, end_gracefully)
    dist.init_process_group("gloo", "tcp://127.0.0.1:%d" % port, world_size=RANKS, rank=rank)
    try:
        for step in range(100):
            load_batch(rank, step)
            dist.all_reduce(torch.ones(1))
    finally:
        say_goodbye(rank)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def launch():
    mp.spawn(train, (free_port(),), nprocs=RANKS)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        launch()
