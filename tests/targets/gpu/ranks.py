"""Two ranks with NCCL on one GPU: CASE. NCCL_HOSTID makes them two machines, as NCCL insists on."""

import os
import sys
import threading
import time

import torch
import torch.distributed as dist

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from ready import ready

rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
case, records = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
torch.cuda.set_device(0)
dist.init_process_group("nccl", rank=rank, world_size=size)


def reduced():
    value = torch.ones(1024, device="cuda")
    dist.all_reduce(value)
    return value.sum().item()


def written():
    """The flight recorder's record, as the watchdog writes it on a timeout."""
    for name, data in (
        ("trace", torch._C._distributed_c10d._dump_nccl_trace()),
        ("trace_json", torch._C._distributed_c10d._dump_nccl_trace_json()),
    ):
        kind = "wb" if isinstance(data, bytes) else "w"
        with open(os.path.join(records, "%s_%s_rank_%d" % (case, name, rank)), kind) as stream:
            stream.write(data)


def at_odds():
    """All ranks say so before they come to where they part."""
    reduced()
    if records:
        timer = threading.Timer(3, written)
        timer.daemon = True
        timer.start()
    ready()


def missing_rank():
    """Rank 1 waits for a lock that its own saver holds; rank 0 is in the collective."""
    at_odds()
    lock, stop = threading.Lock(), threading.Event()

    def save():
        with lock:
            stop.wait()  # saver

    if rank == 1:
        threading.Thread(target=save, name="saver", daemon=True).start()
        time.sleep(0.2)
        with lock:  # odd
            pass
    value = torch.ones(1 << 20, device="cuda")
    dist.all_reduce(value)
    print(value.sum().item())  # others


def both_receive():
    """Each waits for what the other never sends."""
    at_odds()
    value = torch.ones(1024, device="cuda")
    dist.recv(value, src=1 - rank)
    print(value.sum().item())  # both


def no_communicator():
    """Rank 1 never comes to its first collective, so the communicator is never made."""
    ready()
    if rank == 1:
        threading.Event().wait()  # odd
    dist.all_reduce(torch.ones(1, device="cuda"))  # others


def well():
    """Healthy: sums all the time."""
    at_odds()
    while True:
        reduced()


globals()[case]()
