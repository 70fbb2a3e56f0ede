"""Ranks of MPI that sum their losses, step by step; one of them may hang: MODE is a way."""

import sys
import time

import odd
from mpi4py import MPI

comm = MPI.COMM_WORLD


def train(mode):
    for step in range(10**9):
        if step == 3 and comm.rank == odd.ODD:
            odd.WAYS[mode]()
        time.sleep(0.05)
        comm.allreduce(step)


train(sys.argv[1])
