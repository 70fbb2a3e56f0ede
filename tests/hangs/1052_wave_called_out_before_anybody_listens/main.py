import multiprocessing
import os
import tempfile
import time

import zmq


class Engine:
    def __init__(self, folder):
        context = zmq.Context.instance()
        self.waves = context.socket(zmq.SUB)
        self.waves.connect(f"ipc://{folder}/waves")
        self.waves.subscribe(b"wave")
        self.reports = context.socket(zmq.PUSH)
        self.reports.connect(f"ipc://{folder}/reports")

    def next_wave(self):
        return int(self.waves.recv_multipart()[1])

    def run(self):
        if GREET:
            time.sleep(0.5)
            self.reports.send_json(["hello", -1])
        while True:
            self.reports.send_json(["done", self.next_wave()])


def serve(folder):
    Engine(folder).run()


class Coordinator:
    def __init__(self, folder):
        context = zmq.Context.instance()
        self.waves = context.socket(zmq.PUB)
        self.waves.bind(f"ipc://{folder}/waves")
        self.reports = context.socket(zmq.PULL)
        self.reports.bind(f"ipc://{folder}/reports")

    def start_wave(self, number):
        self.waves.send_multipart([b"wave", str(number).encode()])

    def wait_for_report(self):
        return self.reports.recv_json()


def coordinate(folder):
    coordinator = Coordinator(folder)
    context = multiprocessing.get_context("spawn")
    context.Process(target=serve, args=(folder,), name="engine-1", daemon=True).start()
    if GREET:
        coordinator.wait_for_report()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 0
    while True:
        coordinator.start_wave(number)
        coordinator.wait_for_report()
        number += 1
        time.sleep(0.02)


GREET = False


if __name__ == "__main__":
    coordinate(tempfile.mkdtemp(prefix="waves-"))
