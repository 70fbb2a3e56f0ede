import multiprocessing
import os
import tempfile

import torch
import torch.distributed as dist
import zmq

FOLDER = tempfile.mkdtemp(prefix="waves-")


def address(name):
    return "ipc://%s/%s" % (FOLDER, name)


def bind(kind, name):
    socket = zmq.Context.instance().socket(kind)
    socket.bind(address(name))
    return socket


def connect(kind, name):
    socket = zmq.Context.instance().socket(kind)
    socket.connect(address(name))
    return socket


class Conductor:
    """Tells the engines that a wave of steps begins."""

    def __init__(self, engines):
        self.notices = bind(zmq.PULL, "conductor")
        self.engines = [connect(zmq.PUSH, "engine-%d" % rank) for rank in range(engines)]

    def run(self):
        while True:
            sender, wave = self.notices.recv_pyobj()
            self.start_wave(sender, wave)

    def start_wave(self, sender, wave):
        for rank, engine in enumerate(self.engines):
            if LEFT_OUT and rank == sender:
                continue
            engine.send_pyobj(("start", 0, wave))


class Engine:
    def __init__(self, rank):
        self.rank = rank
        self.wave = 0
        self.running = False
        self.requests = []
        self.inbox = bind(zmq.PULL, "engine-%d" % rank)
        self.notices = connect(zmq.PUSH, "conductor")
        self.answers = connect(zmq.PUSH, "answers")

    def run(self):
        while True:
            self.read_inbox()
            if self.running:
                self.step()

    def read_inbox(self):
        while not self.running or self.inbox.poll(0):
            kind, number, wave = self.inbox.recv_pyobj()
            if kind == "request":
                self.add(number, wave)
            elif wave >= self.wave:
                self.running = True

    def add(self, number, wave):
        self.requests.append([number, 3])
        if self.running:
            return
        if wave == self.wave:
            self.running = True
        self.notices.send_pyobj((self.rank, self.wave))

    def step(self):
        for request in self.requests:
            request[1] -= 1
        for number, left in self.requests:
            if not left:
                self.answers.send_pyobj((number, self.wave))
        self.requests = [request for request in self.requests if request[1]]
        if not self.anybody_busy():
            self.running = False
            self.wave += 1

    def anybody_busy(self):
        busy = torch.tensor([len(self.requests)])
        dist.all_reduce(busy)
        return bool(busy.item())


def run_conductor():
    Conductor(2).run()


def run_engine(rank):
    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo", init_method="file://%s/meeting" % FOLDER, rank=rank, world_size=2
    )
    Engine(rank).run()


class Frontend:
    def __init__(self):
        self.answers = bind(zmq.PULL, "answers")
        self.engines = [connect(zmq.PUSH, "engine-%d" % rank) for rank in range(2)]
        self.wave = 0

    def ask(self, number):
        wave = self.wave - (number % 40 == 39)
        self.engines[number % 2].send_pyobj(("request", number, wave))
        return self.take_answer()

    def take_answer(self):
        number, wave = self.answers.recv_pyobj()
        self.wave = wave + 1
        return number


def main():
    frontend = Frontend()
    spawn = multiprocessing.get_context("fork")
    parts = [spawn.Process(target=run_conductor, name="conductor", daemon=True)]
    parts += [
        spawn.Process(target=run_engine, args=(rank,), name="engine-%d" % rank, daemon=True)
        for rank in range(2)
    ]
    for part in parts:
        part.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 0
    while True:
        frontend.ask(number)
        number += 1


LEFT_OUT = False


if __name__ == "__main__":
    main()
