import multiprocessing
import os
import tempfile
import time
from multiprocessing.shared_memory import SharedMemory

import zmq

CHUNKS = 4


class Ring:
    """One writer, one reader; a word over ZeroMQ wakes a reader that sleeps."""

    def __init__(self, name=None):
        self.memory = SharedMemory(name, create=name is None, size=CHUNKS)
        self.at = 0

    def write(self, value, words):
        while self.memory.buf[self.at]:
            time.sleep(0.01)
        self.memory.buf[self.at] = value
        self.at = (self.at + 1) % CHUNKS
        if ALWAYS:
            words.send(b"")

    def read(self, words, spins):
        while spins and not self.memory.buf[self.at]:
            spins -= 1
            time.sleep(0.001)
        while not self.memory.buf[self.at]:
            words.recv()
        value = self.memory.buf[self.at]
        self.memory.buf[self.at] = 0
        self.at = (self.at + 1) % CHUNKS
        return value


def work(name, address):
    ring, words = Ring(name), zmq.Context().socket(zmq.PULL)
    words.connect(address)
    while True:
        ring.read(words, 20)
        while words.poll(0):
            words.recv()


def broadcast(ring, words):
    step = 0
    while True:
        for part in range(6 if step % 10 == 9 else 3):
            ring.write(1 + part, words)
        words.send(b"")
        step += 1
        time.sleep(0.3 if step % 10 == 9 else 0.002)


ALWAYS = False


if __name__ == "__main__":
    address = "ipc://" + os.path.join(tempfile.mkdtemp(prefix="ring-"), "words")
    ring, words = Ring(), zmq.Context().socket(zmq.PUSH)
    words.bind(address)
    worker = multiprocessing.get_context("spawn").Process(
        target=work, args=(ring.memory.name, address), name="worker", daemon=True
    )
    worker.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    broadcast(ring, words)
