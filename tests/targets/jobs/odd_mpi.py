"""Four ranks of MPI that hang in a way that bug trackers know: CASE, or its twin, which does not
(CASE well). Lines with a mark are where the odd ranks stand."""

import sys
import time

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.rank
well = sys.argv[2:] == ["well"]


def rest():
    """The end of a twin: all go on together."""
    while True:
        comm.allreduce(1)
        time.sleep(0.02)


def synchronous_sends():
    """mpi4py/mpi4py#128: two ranks send before either receives, and a send waits for that."""
    peer = 1 - rank
    if rank < 2:
        if well and rank:
            comm.recv(source=peer)
            comm.ssend(b"x", peer)
        else:
            comm.ssend(b"x", peer)  # odd
            comm.recv(source=peer)
    comm.barrier()  # others


def root_is_away():
    """mphowardlab/relentless#221: the root does something else, and never comes."""
    if rank == 0 and not well:
        while True:
            time.sleep(0.5)  # odd
    comm.bcast(1)  # others


print("ready", rank, flush=True)
{one.__name__: one for one in (synchronous_sends, root_is_away)}[sys.argv[1]]()
rest()
