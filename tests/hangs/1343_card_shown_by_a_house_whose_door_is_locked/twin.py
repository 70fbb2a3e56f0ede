import multiprocessing
import os
import threading
import time
from multiprocessing.connection import Client, Listener


class Agent:
    def __init__(self, name):
        self.name = name
        self.lock = threading.Lock()
        self.regions = {"pool": 4096}
        self.peers = {}
        self.listener = Listener(("127.0.0.1", 0))

    def listen(self):
        threading.Thread(target=self.open_doors, name="door", daemon=True).start()

    def open_doors(self):
        while True:
            peer = self.listener.accept()
            threading.Thread(
                target=self.show_card, args=(peer,), name="side-door", daemon=True
            ).start()

    def show_card(self, peer):
        with peer:
            wanted = peer.recv()
            with self.lock:
                card = dict(self.regions, name=self.name, wanted=wanted)
            peer.send(card)

    def fetch_card(self, name, address):
        with Client(address) as peer:
            time.sleep(0.05)
            peer.send(self.name)
            return peer.recv()

    def introduce(self, name, address):
        if OPEN:
            card = self.fetch_card(name, address)
            with self.lock:
                self.peers[name] = card
            return
        with self.lock:
            if name not in self.peers:
                self.peers[name] = self.fetch_card(name, address)

    def forget(self, name):
        with self.lock:
            self.peers.pop(name, None)


def run_agent(name, pipe):
    agent = Agent(name)
    agent.listen()
    pipe.send(agent.listener.address)
    while True:
        peer, address = pipe.recv()
        agent.introduce(peer, address)
        pipe.send("ready")
        agent.forget(peer)


def pair_up(pipes, addresses):
    names = list(pipes)
    for name, peer in zip(names, names[::-1]):
        pipes[name].send((peer, addresses[peer]))
    return [pipes[name].recv() for name in names]


def main():
    context = multiprocessing.get_context("spawn")
    pipes, addresses = {}, {}
    for name in ("prefill", "decode"):
        pipes[name], other = context.Pipe()
        context.Process(target=run_agent, args=(name, other), name=name, daemon=True).start()
        addresses[name] = pipes[name].recv()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        pair_up(pipes, addresses)
        time.sleep(0.05)


OPEN = True


if __name__ == "__main__":
    main()
