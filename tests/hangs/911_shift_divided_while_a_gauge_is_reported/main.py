import multiprocessing
import os
import sys
import tempfile
import threading
import time

from datadog.dogstatsd.base import DogStatsd

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

AGENT = ()


class Gauges:
    def __init__(self, path):
        self.client = DogStatsd(
            socket_path=path, socket_timeout=None, flush_interval=0.1, disable_buffering=False
        )
        self.reported = 0

    def report(self):
        while True:
            self.client.gauge("boiler.pressure", 3.5, tags=["boiler:north"])
            self.reported += 1
            time.sleep(0.005)


def stoke(shovels):
    return sum(range(shovels))


class Foreman:
    def __init__(self):
        self.context = multiprocessing.get_context("fork")
        self.shifts = 0

    def begin_shift(self):
        stoker = self.context.Process(target=stoke, args=(100,))
        stoker.start()
        return stoker

    def work(self):
        while True:
            self.begin_shift().join()
            self.shifts += 1
            time.sleep(0.5)


def main():
    path = os.path.join(tempfile.mkdtemp(), "agent.sock")
    start("gauge_agent", path, *AGENT)
    gauges = Gauges(path)
    threading.Thread(target=gauges.report, name="gauges", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Foreman().work()


if __name__ == "__main__":
    main()
