import os
import socket
import tempfile
import time
import warnings

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.multiprocessing as mp

warnings.simplefilter("ignore")


class Voyage:
    def __init__(self, rank, shelf):
        self.rank = rank
        self.shelf = shelf
        self.log = {"miles": torch.zeros(8)}

    def resume(self):
        if os.path.exists(os.path.join(self.shelf, ".metadata")):
            dcp.load(self.log, checkpoint_id=self.shelf)

    def keep(self):
        dcp.save(self.log, checkpoint_id=self.shelf)

    def sail(self):
        wind = torch.ones(8)
        dist.all_reduce(wind)
        self.log["miles"] += wind

    def run(self):
        while True:
            self.resume()
            self.sail()
            self.keep()
            time.sleep(0.1)


def embark(rank, port, shelves):
    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo", init_method="tcp://127.0.0.1:%d" % port, rank=rank, world_size=2
    )
    Voyage(rank, shelves[rank]).run()


SHARED = False


if __name__ == "__main__":
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    shelf = tempfile.mkdtemp()
    shelves = [shelf, shelf if SHARED else tempfile.mkdtemp()]
    ranks = mp.spawn(embark, args=(port, shelves), nprocs=2, join=False)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while not ranks.join():
        pass
