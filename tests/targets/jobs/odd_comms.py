"""Four ranks of MPI that hang by what they tell it: a tag, a communicator. CASE, or its twin, which
does not (CASE well). Lines with a mark are where the odd ranks stand."""

import sys
import time

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.rank
well = sys.argv[2:] == ["well"]
WORK, DONE = 11, 12


def rest():
    """The end of a twin: all go on together."""
    while True:
        comm.allreduce(1)
        time.sleep(0.02)


def other_tag():
    """The first rank hands out shares with one tag, and one rank waits for another tag."""
    if rank == 0:
        for peer in range(1, comm.size):
            comm.send({"share": peer}, dest=peer, tag=WORK)
    else:
        tag = DONE if rank == 2 and not well else WORK
        comm.recv(source=0, tag=tag)  # odd
    comm.barrier()  # others


def split_without_one():
    """A rank without data does not come to where the others part into halves."""
    share = list(range(rank * 10))
    if share or well:
        half = comm.Split(rank % 2, rank)  # others
        half.allreduce(len(share))
    comm.gather(len(share), root=0)  # odd


print("ready", rank, flush=True)
{one.__name__: one for one in (other_tag, split_without_one)}[sys.argv[1]]()
rest()
