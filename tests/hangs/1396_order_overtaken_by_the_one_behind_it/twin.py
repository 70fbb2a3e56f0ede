import multiprocessing
import os
import time

import zmq


class Engine:
    def __init__(self, number, orders_at, reports_at):
        context = zmq.Context()
        self.number = number
        self.orders = context.socket(zmq.SUB)
        if LATEST:
            self.orders.setsockopt(zmq.CONFLATE, 1)
        self.orders.setsockopt(zmq.SUBSCRIBE, b"")
        self.orders.connect(orders_at)
        self.reports = context.socket(zmq.PUSH)
        self.reports.connect(reports_at)

    def report(self, what, version):
        self.reports.send_pyobj((self.number, what, version))

    def load(self, version):
        time.sleep(0.005)
        self.report("loaded", version)

    def sample(self, version):
        time.sleep(0.02)
        self.report("sampled", version)

    def run(self):
        self.report("ready", 0)
        while True:
            what, version = self.orders.recv_pyobj()
            if what == "load":
                self.load(version)
            else:
                self.sample(version)


def run_engine(number, orders_at, reports_at):
    Engine(number, orders_at, reports_at).run()


class Controller:
    def __init__(self, orders_at, reports_at):
        context = zmq.Context()
        self.orders = context.socket(zmq.PUB)
        self.orders.bind(orders_at)
        self.reports = context.socket(zmq.PULL)
        self.reports.bind(reports_at)

    def await_reports(self, wanted):
        seen = []
        while len(seen) < wanted:
            seen.append(self.reports.recv_pyobj())
        return seen

    def train(self, version):
        if version % 10:
            time.sleep(0.05)

    def turn(self, version):
        self.orders.send_pyobj(("load", version))
        self.train(version)
        self.orders.send_pyobj(("sample", version))
        self.await_reports(4)


def main():
    spawn = multiprocessing.get_context("spawn")
    orders_at, reports_at = ["ipc:///tmp/turns-%d-%s" % (os.getpid(), end) for end in "ab"]
    controller = Controller(orders_at, reports_at)
    for number in range(2):
        spawn.Process(
            target=run_engine,
            args=(number, orders_at, reports_at),
            name="engine-%d" % number,
            daemon=True,
        ).start()
    controller.await_reports(2)
    time.sleep(0.5)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    version = 1
    while True:
        controller.turn(version)
        version += 1


LATEST = False


if __name__ == "__main__":
    main()
