"""Four ranks of torch with gloo that hang in a way that bug trackers know: CASE, or its twin, which
does not (CASE well). Lines with a mark are where the odd ranks stand."""

import os
import sys
import threading
import time

import torch
import torch.distributed as dist
from recorder import leave_record
from torch.nn.parallel import DistributedDataParallel

rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
well = sys.argv[2:] == ["well"]
torch.set_num_threads(1)


def here():
    """All ranks say so before they come to where they part."""
    print("ready", rank, flush=True)
    leave_record(rank)


def rest():
    """The end of a twin: all go on together."""
    while True:
        dist.all_reduce(torch.ones(1))
        time.sleep(0.02)


def uneven_batches():
    """pytorch/pytorch#33148: one rank has fewer batches, and goes on to the end of the epoch."""
    model = DistributedDataParallel(torch.nn.Linear(4, 1))
    count = 10 if well or rank != 3 else 9
    for step in range(count):
        if step == 8:
            here()
        model(torch.ones(2, 4)).sum().backward()  # others
    dist.barrier()  # odd


def checkpoint_on_one():
    """deepspeedai/DeepSpeed#797: what saves has a barrier inside, and one rank saves."""

    def save_checkpoint():
        time.sleep(0.1)
        dist.barrier()  # odd

    here()
    for step in range(5):
        if step == 3 and (well or rank == 0):
            save_checkpoint()
        dist.all_reduce(torch.ones(4))  # others


def failed_rank():
    """A rank fails, and its exit waits for a thread that nobody ends."""
    here()
    stop = threading.Event()

    def report():
        stop.wait()

    reporter = threading.Thread(target=report, name="reporter")
    reporter.start()
    try:
        if rank == 2 and not well:
            raise ValueError("bad sample")
        dist.all_reduce(torch.ones(4))  # others
    except ValueError:
        reporter.join()  # odd
    stop.set()


def key_of_nobody():
    """pytorch/pytorch#67972: a key of the store that no rank writes."""
    here()
    store = dist.distributed_c10d._get_default_store()
    if rank == 0:
        store.get("table/ready" if not well else "ready/0")  # odd
        store.set("table", "1")
    else:
        store.set(f"ready/{rank - 1}", "1")
        store.wait(["table"])  # others


def mutual_sends():
    """Two ranks send to each other before either receives."""
    here()
    big = torch.ones(64 << 20)
    peer = 1 - rank
    if rank < 2:
        if well and rank:
            dist.recv(big, peer)
            dist.send(big, peer)
        else:
            dist.send(big, peer)  # odd
            dist.recv(big, peer)
    dist.barrier()  # others


def group_of_some():
    """One of two ranks of a group goes to the operation of the group, the other to that of all."""
    pair = dist.new_group([2, 3])
    here()
    if rank == 2 or (rank == 3 and well):
        dist.barrier(group=pair)  # odd
    dist.all_reduce(torch.ones(4))  # others


def killed_rank():
    """A rank is killed by somebody; the others start anew, and wait for it."""
    here()
    if rank == 3 and not well:
        os.kill(os.getpid(), 9)
    start_anew()


def rank_without_memory():
    """A rank takes all the memory that the job's cgroup has, and the kernel kills it."""
    here()
    taken = []
    while rank == 3 and not well:
        taken.append(bytearray(os.urandom(1 << 20) * 16))
    start_anew()


def start_anew():
    try:
        dist.all_reduce(torch.ones(4))
    except RuntimeError:
        dist.destroy_process_group()
        os.environ["MASTER_PORT"] = str(int(os.environ["MASTER_PORT"]) + 1)
        dist.init_process_group("gloo")  # others


def other_order():
    """horovod/horovod#2107: one rank has its operations in another order."""
    here()
    first, second = torch.ones(4), torch.ones(4)
    if rank == 1 and not well:
        dist.broadcast(second, 0)  # odd
        dist.all_reduce(first)
    else:
        dist.all_reduce(first)  # others
        dist.broadcast(second, 0)


dist.init_process_group("gloo")
{one.__name__: one for one in (
    uneven_batches, checkpoint_on_one, failed_rank, key_of_nobody, mutual_sends, group_of_some,
    killed_rank, rank_without_memory, other_order,
)}[sys.argv[1]]()  # fmt: skip
rest()
