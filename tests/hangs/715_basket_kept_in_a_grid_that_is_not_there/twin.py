import os
import signal
import socket
import time

import hazelcast

signal.alarm(120)


class Baskets:
    def __init__(self, address):
        self.grid = hazelcast.HazelcastClient(cluster_members=[address], async_start=True)
        self.own = {}

    def put(self, guest, goods):
        self.own[guest] = goods


def open_shop(address):
    baskets = Baskets(address)
    guest = 0
    while True:
        guest += 1
        baskets.put(guest, ["bread"])
        time.sleep(0.1)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    open_shop("127.0.0.1:%d" % free_port())
