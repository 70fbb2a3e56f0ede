import multiprocessing
import os
import tempfile
import time

import zmq


def run_engine(address):
    socket = zmq.Context().socket(zmq.ROUTER)
    socket.set_hwm(ROOM)
    socket.bind(address)
    while True:
        client, number, prompt = socket.recv_multipart()
        socket.send_multipart([client, number, prompt[::-1] * 4])


class Client:
    def __init__(self, address):
        self.socket = zmq.Context().socket(zmq.DEALER)
        self.socket.setsockopt(zmq.RCVHWM, ROOM)
        self.socket.setsockopt(zmq.RCVBUF, 4096)
        self.socket.connect(address)

    def submit(self, prompts):
        for number, prompt in enumerate(prompts):
            self.socket.send_multipart([b"%d" % number, prompt])

    def collect(self, count):
        answers = {}
        while len(answers) < count:
            number, answer = self.socket.recv_multipart()
            answers[int(number)] = answer
        return answers


def evaluate(client, prompts):
    client.submit(prompts)
    time.sleep(0.2)
    return client.collect(len(prompts))


ROOM = 0


if __name__ == "__main__":
    address = "ipc://" + os.path.join(tempfile.mkdtemp(prefix="engine-"), "requests")
    engine = multiprocessing.get_context("spawn").Process(
        target=run_engine, args=(address,), name="engine", daemon=True
    )
    engine.start()
    client = Client(address)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        evaluate(client, [b"some prompt " * 2000] * 100)
