"""Threads in methods that are written in C: of an object that is named as one of MPI is, or not."""

import threading
import time
from queue import SimpleQueue

from ready import ready


class Intracomm(SimpleQueue):
    """Its methods leave no frame, as those of mpi4py do not."""

    recv = SimpleQueue.get


class Letterbox(SimpleQueue):
    """Nothing of MPI's."""

    recv = SimpleQueue.get


class Socket(SimpleQueue):
    """One of ZeroMQ says what it is for."""

    recv = SimpleQueue.get


comm, box = Intracomm(), Letterbox()
pulls, other = Socket(), Socket()
pulls._type_name = "PULL"


def receives():
    comm.recv()


def asks_first():
    comm.put(1)
    time.sleep(comm.recv() and 3600)


def another():
    box.recv()


def takes():
    pulls.recv()


def without_sort():
    other.recv()


def keeps():
    comm.put(1)
    comm.recv()
    wait = threading.Event()
    wait.wait()


if __name__ == "__main__":
    for work in (asks_first, keeps):
        threading.Thread(target=work, name=work.__name__, daemon=True).start()
        time.sleep(0.1)  # each takes what it has put there itself
    for work in (receives, another, takes, without_sort):
        threading.Thread(target=work, name=work.__name__, daemon=True).start()
    ready()
    time.sleep(3600)
