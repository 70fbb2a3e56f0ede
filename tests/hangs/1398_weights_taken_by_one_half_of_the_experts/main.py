import multiprocessing
import os
import time

import torch
import torch.distributed as dist


def join_job(rank, port):
    torch.set_num_threads(1)
    store = dist.TCPStore("127.0.0.1", port, is_master=False)
    dist.init_process_group("gloo", store=store, rank=rank, world_size=3)
    return dist.new_group([1, 2])


def load_weights(weights):
    dist.broadcast(weights, src=0)
    dist.barrier()


class Engine:
    def __init__(self, orders, experts):
        self.orders = orders
        self.experts = experts
        self.weights = torch.zeros(64)
        self.pending = 0

    def step(self):
        time.sleep(0.01)
        tokens = torch.tensor([1, self.pending])
        dist.all_reduce(tokens, group=self.experts)
        return tokens[1].item() == 2

    def take_orders(self):
        while self.orders.poll(0):
            self.orders.recv()
            self.pending = 1

    def load(self):
        load_weights(self.weights)
        self.pending = 0
        self.orders.send("loaded")

    def run(self):
        while True:
            self.take_orders()
            if self.pending and not AGREED:
                self.load()
            if self.step() and AGREED:
                self.load()


def run_engine(rank, port, orders):
    experts = join_job(rank, port)
    orders.send("ready")
    Engine(orders, experts).run()


def run_trainer(port, orders):
    join_job(0, port)
    orders.send("ready")
    weights = torch.zeros(64)
    while True:
        orders.recv()
        weights += 1
        load_weights(weights)
        orders.send("loaded")


def update_weights(members):
    for member in members:
        member.send("load")
        time.sleep(0.1)
    return [member.recv() for member in members]


def main():
    spawn = multiprocessing.get_context("spawn")
    store = dist.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
    pipes = [spawn.Pipe() for _ in range(3)]
    spawn.Process(
        target=run_trainer, args=(store.port, pipes[0][1]), name="trainer", daemon=True
    ).start()
    for rank in 1, 2:
        spawn.Process(
            target=run_engine,
            args=(rank, store.port, pipes[rank][1]),
            name="engine-%d" % (rank - 1),
            daemon=True,
        ).start()
    members = [pipe[0] for pipe in pipes]
    for member in members:
        member.recv()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        update_weights(members)
        time.sleep(0.2)


AGREED = False


if __name__ == "__main__":
    main()
