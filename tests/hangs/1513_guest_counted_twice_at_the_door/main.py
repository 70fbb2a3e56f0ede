import multiprocessing
import os
import time
from datetime import timedelta

import torch.distributed as dist

RANKS = 3


class Lost(ConnectionError):
    """The answer of the store did not come."""


class Door:
    """A meeting of all ranks by a counter in the store."""

    def __init__(self, store, rank):
        self.store = store
        self.rank = rank

    def knock(self, name):
        self.store.add(name, 1)
        if TWICE and self.rank == 1 and name.endswith("9"):
            raise Lost(name)

    def enter(self, name):
        for _attempt in range(2):
            try:
                self.knock(name)
                break
            except Lost:
                time.sleep(0.05)
        self.await_all(name)

    def await_all(self, name):
        while self.store.add(name, 0) != RANKS:
            time.sleep(0.01)


class Guest:
    def __init__(self, rank, port):
        self.store = dist.TCPStore("127.0.0.1", port, is_master=False, timeout=timedelta(hours=2))
        self.door = Door(self.store, rank)
        self.rank = rank

    def save_part(self, step):
        self.store.set("part-%d" % self.rank, str(step))

    def work(self):
        step = 0
        while True:
            time.sleep(0.005 * self.rank)
            self.save_part(step)
            self.door.enter("saved-%d" % step)
            step += 1


def run_guest(rank, port):
    Guest(rank, port).work()


def main():
    spawn = multiprocessing.get_context("spawn")
    store = dist.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
    guests = [
        spawn.Process(target=run_guest, args=(rank, store.port), name="rank-%d" % rank, daemon=True)
        for rank in range(RANKS)
    ]
    for guest in guests:
        guest.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for guest in guests:
        guest.join()


TWICE = True


if __name__ == "__main__":
    main()
