import multiprocessing
import os
import queue
import tempfile
import threading
import time

import zmq


class Engine:
    def __init__(self, folder):
        context = zmq.Context.instance()
        self.inbox = context.socket(zmq.PULL)
        self.inbox.bind(f"ipc://{folder}/requests")
        self.outbox = context.socket(zmq.PUSH)
        self.outbox.connect(f"ipc://{folder}/answers")
        self.jobs = queue.Queue()
        self.pictures = {f"picture-{number}": [number] * 4 for number in range(KEPT)}

    def read_requests(self):
        while True:
            name, picture = self.inbox.recv_json()
            self.jobs.put((name, self.pictures[picture]))

    def run_busy_loop(self):
        while True:
            name, features = self.jobs.get()
            self.outbox.send_json((name, sum(features)))


def serve(folder):
    engine = Engine(folder)
    threading.Thread(target=engine.read_requests, name="request-reader", daemon=True).start()
    engine.run_busy_loop()


class Client:
    def __init__(self, folder):
        context = zmq.Context.instance()
        self.answers = context.socket(zmq.PULL)
        self.answers.bind(f"ipc://{folder}/answers")
        self.requests = context.socket(zmq.PUSH)
        self.requests.connect(f"ipc://{folder}/requests")

    def describe(self, name, picture):
        self.requests.send_json((name, picture))
        return self.answers.recv_json()


KEPT = 50


if __name__ == "__main__":
    folder = tempfile.mkdtemp(prefix="engine-")
    client = Client(folder)
    context = multiprocessing.get_context("spawn")
    engine = context.Process(target=serve, args=(folder,), name="EngineCore", daemon=True)
    engine.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 0
    while True:
        client.describe(f"request-{number}", f"picture-{number % 64}")
        number += 1
        time.sleep(0.01)
