"""Four ranks of torch with gloo of which some wait for what lies beside their collectives: a lock
on a file, a server of data, a key. CASE, or its twin, which does not hang (CASE well). Lines with a
mark are where the odd ranks stand."""

import fcntl
import os
import socket
import subprocess
import sys
import tempfile
import time

import torch
import torch.distributed as dist
from recorder import leave_record
from torch.utils.data import DataLoader, Dataset

rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
well = sys.argv[2:] == ["well"]
port = int(os.environ["MASTER_PORT"])
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


def barrier_under_lock():
    """The first rank fills a cache under a lock on a file, and waits for the others with it; these
    want the lock before."""
    here()
    path = os.path.join(tempfile.gettempdir(), "odd-waits-%d" % port)
    with open(path, "w") as cache:
        if rank:
            dist.barrier()
        fcntl.flock(cache, fcntl.LOCK_EX)  # others
        if rank == 0:
            dist.barrier()
            if not well:
                dist.barrier()  # odd
        fcntl.flock(cache, fcntl.LOCK_UN)
    dist.barrier()
    if rank == 0:
        os.unlink(path)


SERVER = """
import socket, sys, time
server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1], flush=True)
for count in range(10**9):
    connection, _ = server.accept()
    connection.recv(64)
    if count >= int(sys.argv[1]):
        time.sleep(3600)
    connection.sendall(b"1.0")
    connection.close()
"""


def silent_server():
    """The worker of one rank's loader waits for a server that does not answer any more."""

    class Shards(Dataset):
        """Samples that a server sends."""

        def __init__(self, address):
            self.address = address

        def __len__(self):
            return 1000

        def __getitem__(self, index):
            with socket.create_connection(self.address) as connection:
                connection.sendall(b"sample %d\n" % index)
                return float(connection.recv(64))  # worker

    quiet_after = 40 if rank == 1 and not well else 10**9
    server = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(quiet_after)], stdout=subprocess.PIPE, text=True
    )
    address = "127.0.0.1", int(server.stdout.readline())
    loader = DataLoader(Shards(address), batch_size=4, num_workers=1)
    for step, batch in enumerate(loader):  # odd
        if step == 5:
            here()
        dist.all_reduce(batch)  # others
    server.kill()
    server.wait()


def key_for_one():
    """One rank waits for a key that the others would set after the barrier to which it comes
    later."""
    here()
    store = dist.distributed_c10d._get_default_store()
    if rank == 3 and not well:
        store.wait(["epoch/1"])  # odd
    dist.barrier()  # others
    store.set("epoch/1", "done")


def barrier_after_error():
    """A rank whose step fails waits for the others where these do not come by."""
    here()
    losses = [None] * size
    try:
        if rank == 1 and not well:
            raise ValueError("loss is not a number")
        dist.all_gather_object(losses, 0.5)  # others
    except ValueError:
        dist.barrier()  # odd
    dist.barrier()


dist.init_process_group("gloo")
{one.__name__: one for one in (
    barrier_under_lock, silent_server, key_for_one, barrier_after_error,
)}[sys.argv[1]]()  # fmt: skip
rest()
