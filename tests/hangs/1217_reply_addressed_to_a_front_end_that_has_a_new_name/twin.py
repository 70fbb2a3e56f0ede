import multiprocessing
import os
import tempfile
import time

import zmq


def run_engine(address):
    socket = zmq.Context.instance().socket(zmq.ROUTER)
    socket.bind(address)
    homes = {}
    while True:
        identity, session, prompt = socket.recv_multipart()
        home = homes.setdefault(session, identity)
        socket.send_multipart([home, session, prompt.upper()])


class FrontEnd:
    def __init__(self, address):
        self.address = address
        self.generation = 0
        self.connect()

    def connect(self):
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.identity = b"front-%d" % (self.generation if RENAME else 0)
        self.socket.linger = 0
        self.socket.connect(self.address)
        self.generation += 1

    def refresh(self):
        self.socket.close()
        time.sleep(0.2)
        self.connect()

    def complete(self, session, prompt):
        self.socket.send_multipart([session, prompt])
        return self.socket.recv_multipart()


def chat(front, turns):
    for turn in range(turns):
        front.complete(b"session-7", b"turn %d" % turn)
        time.sleep(0.01)


RENAME = False


if __name__ == "__main__":
    address = "ipc://" + os.path.join(tempfile.mkdtemp(prefix="front-"), "engine")
    multiprocessing.get_context("spawn").Process(
        target=run_engine, args=(address,), name="engine", daemon=True
    ).start()
    front = FrontEnd(address)
    chat(front, 20)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        front.refresh()
        chat(front, 20)
