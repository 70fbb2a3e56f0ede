import multiprocessing
import os
import tempfile
import threading
import time

import zmq


def run_engine(address):
    socket = zmq.Context().socket(zmq.REP)
    socket.bind(address)
    while True:
        prompt = socket.recv_string()
        time.sleep(0.03 * len(prompt.split()))
        socket.send_string(prompt.upper())


class Supervisor:
    def __init__(self, address, patience):
        self.address = address
        self.patience = patience
        self.number = 0
        self.begun = None
        self.start()

    def start(self):
        self.engine = multiprocessing.get_context("spawn").Process(
            target=run_engine, args=(self.address,), name="engine-%d" % self.number, daemon=True
        )
        self.engine.start()
        self.number += 1

    def watch(self):
        while True:
            begun = self.begun
            if begun and time.monotonic() - begun > self.patience:
                self.engine.kill()
                self.engine.join()
                self.begun = None
                self.start()
            time.sleep(0.1)

    def ask(self, socket, prompt):
        self.begun = time.monotonic()
        socket.send_string(prompt)
        answer = socket.recv_string()
        self.begun = None
        return answer


def answer_all(supervisor, prompts):
    socket = zmq.Context().socket(zmq.REQ)
    socket.connect(supervisor.address)
    supervisor.ask(socket, "ready")
    while True:
        for prompt in prompts:
            supervisor.ask(socket, prompt)


PATIENCE = 3


if __name__ == "__main__":
    address = "ipc://" + os.path.join(tempfile.mkdtemp(prefix="engine-"), "requests")
    supervisor = Supervisor(address, 30)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    threading.Timer(4, setattr, (supervisor, "patience", PATIENCE)).start()
    threading.Thread(target=supervisor.watch, name="watchdog", daemon=True).start()
    answer_all(supervisor, ["a short one", " ".join(["word"] * 130)])
