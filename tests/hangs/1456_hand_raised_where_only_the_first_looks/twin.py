import multiprocessing
import os
import socket
import time

import torch
from accelerate import Accelerator


class Budget:
    def __init__(self, accelerator):
        self.accelerator = accelerator
        self.spent = 0

    def spend(self, loss):
        self.spent += 1
        if loss < 0.2:
            self.accelerator.set_trigger()

    def used_up(self, step):
        if step % 5:
            return False
        if ALONE:
            return self.accelerator.is_main_process and self.accelerator.check_trigger()
        return self.accelerator.check_trigger()


class Course:
    def __init__(self, accelerator):
        self.accelerator = accelerator
        self.budget = Budget(accelerator)
        self.model = torch.nn.Linear(8, 1)
        self.optimizer = torch.optim.SGD(self.model.parameters(), 0.0001)

    def lesson(self, rows):
        loss = self.model(rows).square().mean()
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()
        return self.worst(loss)

    def worst(self, loss):
        return self.accelerator.gather(loss.detach().reshape(1)).max().item()

    def run(self):
        step = 1
        while not self.budget.used_up(step):
            loss = self.lesson(torch.rand(4, 8) + 1)
            self.budget.spend(loss + 1)
            time.sleep(0.005)
            step += 1


def teach(rank, port):
    os.environ.update(
        RANK=str(rank),
        LOCAL_RANK=str(rank),
        WORLD_SIZE="2",
        MASTER_ADDR="127.0.0.1",
        MASTER_PORT=str(port),
    )
    torch.set_num_threads(1)
    Course(Accelerator(cpu=True)).run()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main():
    spawn = multiprocessing.get_context("spawn")
    port = free_port()
    ranks = [
        spawn.Process(target=teach, args=(rank, port), name="rank-%d" % rank, daemon=True)
        for rank in range(2)
    ]
    for rank in ranks:
        rank.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for rank in ranks:
        rank.join()


ALONE = False


if __name__ == "__main__":
    main()
