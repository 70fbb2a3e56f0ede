import os
import signal

import gevent
from gevent import subprocess

signal.alarm(120)


class Depot:
    def __init__(self):
        self.returned = 0

    def note_return(self, number, frame):
        self.returned += 1

    def send(self, parcel):
        return subprocess.Popen(["sleep", "0.5"])


def deliver(depot, parcel):
    courier = depot.send(parcel)
    courier.wait()
    return parcel


def deliver_all(parcels):
    depot = Depot()
    first = depot.send("test")
    signal.signal(signal.SIGCHLD, depot.note_return)
    rounds = [gevent.spawn(deliver, depot, parcel) for parcel in parcels]
    gevent.joinall(rounds)
    first.wait()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    deliver_all(["letter", "box"])
