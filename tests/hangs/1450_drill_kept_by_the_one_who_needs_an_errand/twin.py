import heapq
import multiprocessing
import os
import threading
import time
from multiprocessing.connection import wait


class Limiter:
    """Hands out instances of models, most urgent first."""

    def __init__(self, resources):
        self.free = dict(resources)
        self.waiting = []
        self.number = 0
        self.changed = threading.Condition()

    def fits(self, wanted):
        return all(self.free[name] >= count for name, count in wanted.items())

    def may_go(self, turn, wanted):
        if not self.fits(wanted):
            return False
        return turn == self.waiting[0][1] or not STRICT

    def take(self, priority, wanted):
        with self.changed:
            self.number += 1
            turn = self.number
            heapq.heappush(self.waiting, (priority, turn))
            while not self.may_go(turn, wanted):
                self.changed.wait()
            self.waiting.remove((priority, turn))
            heapq.heapify(self.waiting)
            for name, count in wanted.items():
                self.free[name] -= count
            self.changed.notify_all()

    def give_back(self, wanted):
        with self.changed:
            for name, count in wanted.items():
                self.free[name] += count
            self.changed.notify_all()


class Model:
    def __init__(self, server, name, priority, wanted, execute):
        self.server = server
        self.name = name
        self.priority = priority
        self.wanted = wanted
        self.busy = threading.Lock()
        self.pipe, theirs = multiprocessing.get_context("spawn").Pipe()
        self.stub = multiprocessing.get_context("spawn").Process(
            target=run_stub, args=(theirs, execute), name="stub-" + name, daemon=True
        )
        self.stub.start()
        theirs.close()

    def infer(self, value):
        self.server.limiter.take(self.priority, self.wanted)
        try:
            with self.busy:
                return self.execute(value)
        finally:
            self.server.limiter.give_back(self.wanted)

    def execute(self, value):
        self.pipe.send(("execute", value))
        while True:
            kind, value = self.pipe.recv()
            if kind == "answer":
                return value
            self.pipe.send(("nested", self.server.models[kind].infer(value)))


def clean(pipe, value):
    time.sleep(0.005)
    return value + 1


def look_up(pipe, value):
    time.sleep(0.02)
    pipe.send(("clean", value))
    return pipe.recv()[1] * 2


def paint(pipe, value):
    time.sleep(0.01)
    return -value


def run_stub(pipe, execute):
    while wait([pipe]):
        _kind, value = pipe.recv()
        pipe.send(("answer", execute(pipe, value)))


class Server:
    def __init__(self):
        self.limiter = Limiter({"board": 1})
        self.models = {
            "clean": Model(self, "clean", 3, {}, clean),
            "look_up": Model(self, "look_up", 2, {"board": 1}, look_up),
            "paint": Model(self, "paint", 1, {"board": 1}, paint),
        }

    def serve(self, name, pause):
        while True:
            self.models[name].infer(7)
            time.sleep(pause)


def main():
    server = Server()
    clients = [
        threading.Thread(target=server.serve, args=args, name="client-" + args[0], daemon=True)
        for args in (("look_up", 0.007), ("paint", 0.013), ("clean", 0.1))
    ]
    for client in clients:
        client.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for client in clients:
        client.join()


STRICT = False


if __name__ == "__main__":
    main()
