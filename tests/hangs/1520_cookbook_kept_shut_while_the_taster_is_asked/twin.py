import os
import socket
import threading
import time

import torch.distributed.rpc as rpc
import torch.multiprocessing as multiprocessing


class Cookbook:
    """Lives in the process chef; others call it."""

    shared = None

    def __init__(self):
        self.pages = threading.Lock()
        self.salt = 1.0
        self.tasted = 0

    def season(self, dish):
        with self.pages:
            if SHUT:
                return self.keep(self.ask_taster(dish))
        verdict = self.ask_taster(dish)
        with self.pages:
            return self.keep(verdict)

    def ask_taster(self, dish):
        return rpc.rpc_sync("taster", taste, args=(dish,), timeout=0)

    def keep(self, verdict):
        self.tasted += 1
        self.salt = self.salt * 0.9 + verdict * 0.1
        return self.salt

    def read_salt(self):
        with self.pages:
            return self.salt


def season(dish):
    return Cookbook.shared.season(dish)


def read_salt():
    return Cookbook.shared.read_salt()


def taste(dish):
    time.sleep(0.002)
    if dish % 10 == 7:
        return look_up_salt() + 1
    return dish % 3


def look_up_salt():
    return rpc.rpc_sync("chef", read_salt, timeout=0)


class Waiter:
    def __init__(self):
        self.served = 0

    def serve(self, dish):
        rpc.rpc_sync("chef", season, args=(dish,), timeout=0)
        self.served += 1


NAMES = ("waiter", "chef", "taster")


def join(rank, port):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    Cookbook.shared = Cookbook()
    options = rpc.TensorPipeRpcBackendOptions(num_worker_threads=4, rpc_timeout=36000)
    rpc.init_rpc(NAMES[rank], rank=rank, world_size=3, rpc_backend_options=options)


def run_part(rank, port):
    join(rank, port)
    rpc.shutdown()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main():
    spawn = multiprocessing.get_context("spawn")
    port = free_port()
    for rank in (1, 2):
        spawn.Process(target=run_part, args=(rank, port), name=NAMES[rank], daemon=True).start()
    join(0, port)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    waiter = Waiter()
    dish = 0
    while True:
        waiter.serve(dish)
        dish += 1


SHUT = False


if __name__ == "__main__":
    main()
