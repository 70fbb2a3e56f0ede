import os
import socket
import threading
import time

import torch
import torch.distributed.rpc as rpc
import torch.multiprocessing as mp

TRAINERS = 2
STEPS = (40, 25)


class ParameterServer:
    def __init__(self):
        self.lock = threading.Lock()
        self.weights = torch.zeros(8)
        self.sum = torch.zeros(8)
        self.reported = 0
        self.updated = torch.futures.Future()

    @staticmethod
    @rpc.functions.async_execution
    def update_and_fetch(server, gradient):
        self = server.local_value()
        updated = self.updated
        with self.lock:
            self.sum += gradient
            self.reported += 1
            if self.reported == TRAINERS:
                self.weights -= 0.1 * self.sum / TRAINERS
                self.sum.zero_()
                self.reported = 0
                self.updated = torch.futures.Future()
                updated.set_result(self.weights)
        return updated


def train(server, steps):
    weights = torch.zeros(8)
    for _ in range(steps):
        time.sleep(0.02)
        weights = rpc.rpc_sync(
            server.owner(), ParameterServer.update_and_fetch, args=(server, weights + 1), timeout=0
        )


def serve():
    server = rpc.RRef(ParameterServer())
    trainers = [
        rpc.rpc_async("trainer%d" % n, train, args=(server, STEPS[n]), timeout=0)
        for n in range(TRAINERS)
    ]
    torch.futures.wait_all(trainers)


def run(rank, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    name = "server" if rank == 0 else "trainer%d" % (rank - 1)
    rpc.init_rpc(name, rank=rank, world_size=TRAINERS + 1)
    if rank == 0:
        serve()
    rpc.shutdown()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        mp.spawn(run, (free_port(),), nprocs=TRAINERS + 1)
