import os
import signal
import socket

from pysyncobj import SyncObj, replicated

signal.alarm(120)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Reservations(SyncObj):
    def __init__(self, own, others):
        super().__init__(own, others)
        self.tables = {}

    @replicated
    def reserve(self, table, guest):
        return self.tables.setdefault(table, guest)


def take_evening(reservations, guests):
    for table, guest in enumerate(guests):
        reservations.reserve(table, guest, sync=True)
    return len(guests)


if __name__ == "__main__":
    branches = ["127.0.0.1:%d" % free_port() for _ in range(3)]
    others = [
        Reservations(one, [other for other in branches if other != one]) for one in branches[1:]
    ]
    reservations = Reservations(branches[0], branches[1:])
    for one in (reservations, *others):
        one.waitReady()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        take_evening(reservations, ["berg", "lind", "roth"])
