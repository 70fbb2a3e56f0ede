import datetime
import multiprocessing
import os
import socket
import time

import torch.distributed as dist

PATIENCE = datetime.timedelta(hours=3)


def join(port, host=False):
    return dist.TCPStore(
        "127.0.0.1", port, is_master=host, wait_for_workers=False, timeout=PATIENCE
    )


class Registry:
    def __init__(self, store, house):
        self.store = dist.PrefixStore(house, store)

    def announce(self, name, address):
        self.store.set(name, address)

    def find(self, name):
        return self.store.get(name).decode()

    def forget(self, name):
        self.store.delete_key(name)


class Decoder:
    def __init__(self, store, number):
        self.registry = Registry(store, HOUSES[number])
        self.number = number
        self.round = 0

    def offer(self):
        self.registry.announce("address-%d" % self.round, "10.0.0.%d" % self.number)
        self.registry.find("welcome-%d" % self.round)
        self.round += 1

    def run(self):
        while True:
            self.offer()


def run_decoder(port, number):
    Decoder(join(port), number).run()


class Prefiller:
    def __init__(self, store, decoders):
        self.houses = [Registry(store, "decode/%d" % number) for number in range(decoders)]
        self.known = {}

    def connect(self, turn):
        for number, registry in enumerate(self.houses):
            self.known[number] = registry.find("address-%d" % turn)
            registry.announce("welcome-%d" % turn, "come in")

    def run(self, settled):
        turn = 0
        while True:
            self.connect(turn)
            settled.put(turn)
            time.sleep(0.01)
            turn += 1


def run_prefiller(port, decoders, settled):
    Prefiller(join(port), decoders).run(settled)


def follow(settled):
    while True:
        settled.get()


def main():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    store = join(port, host=True)
    spawn = multiprocessing.get_context("spawn")
    settled = spawn.Queue()
    for number in range(2):
        spawn.Process(
            target=run_decoder, args=(port, number), name="decode-%d" % number, daemon=True
        ).start()
    spawn.Process(
        target=run_prefiller, args=(port, 2, settled), name="prefill", daemon=True
    ).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    follow(settled)
    del store


HOUSES = ["decode/0", "decode/1"]


if __name__ == "__main__":
    main()
