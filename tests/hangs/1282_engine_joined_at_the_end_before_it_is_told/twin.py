import multiprocessing
import os
import tempfile
import time

import zmq


def run_engine(address):
    socket = zmq.Context().socket(zmq.REP)
    socket.bind(address)
    while (request := socket.recv()) != b"bye":
        time.sleep(0.02)
        socket.send(request.upper())
    socket.send(b"bye")


class Client:
    def __init__(self):
        address = "ipc://" + os.path.join(tempfile.mkdtemp(prefix="engine-"), "requests")
        context = multiprocessing.get_context("spawn")
        self.engine = context.Process(target=run_engine, args=(address,), name="engine")
        self.engine.start()
        self.socket = zmq.Context.instance().socket(zmq.REQ)
        self.socket.connect(address)

    def generate(self, prompt):
        self.socket.send(prompt)
        return self.socket.recv()

    def shut_down(self):
        if self.engine is not None:
            self.generate(b"bye")
            self.engine = None

    def __del__(self):
        self.shut_down()


def main():
    client = Client()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while OWNED:
        client.generate(b"once upon a time")
    client.generate(b"once upon a time")
    return client


OWNED = True


if __name__ == "__main__":
    kept = main()
