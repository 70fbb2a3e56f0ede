import multiprocessing
import os
import tempfile
import time

import zmq


class Peer:
    def __init__(self, folder, mine, theirs):
        context = zmq.Context.instance()
        self.server = context.socket(zmq.REP)
        self.server.bind(f"ipc://{folder}/{mine}")
        self.client = context.socket(zmq.REQ)
        self.client.connect(f"ipc://{folder}/{theirs}")
        self.pages = {}

    def look_up(self, key):
        self.client.send_string(key)
        return self.client.recv_string()

    def serve_lookup(self):
        key = self.server.recv_string()
        self.server.send_string(self.pages.get(key, "none"))


def run_peer(folder, mine, theirs, asks):
    peer = Peer(folder, mine, theirs)
    step = 0
    while True:
        peer.pages[f"page-{step}"] = mine
        if asks(step):
            peer.look_up(f"page-{step - 1}")
        else:
            peer.serve_lookup()
        step += 1
        time.sleep(0.02)


def asks_in_decode(step):
    return step % 2 == 0


def asks_in_prefill(step):
    return step % 2 == 1 or step % 50 == BURST


BURST = 20


if __name__ == "__main__":
    folder = tempfile.mkdtemp(prefix="peers-")
    context = multiprocessing.get_context("spawn")
    peers = [
        context.Process(
            target=run_peer, args=(folder, "decode", "prefill", asks_in_decode), name="decode"
        ),
        context.Process(
            target=run_peer, args=(folder, "prefill", "decode", asks_in_prefill), name="prefill"
        ),
    ]
    for peer in peers:
        peer.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for peer in peers:
        peer.join()
