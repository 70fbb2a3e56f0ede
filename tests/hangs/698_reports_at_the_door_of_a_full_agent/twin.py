import multiprocessing
import os
import signal
import socket
import tempfile
import time

from agent import Agent

signal.alarm(120)


class Meter:
    def __init__(self, path):
        self.path = path
        self.reported = []

    def report(self, name, number):
        line = socket.socket(socket.AF_UNIX)
        line.connect(self.path)
        line.sendall(b"%s %d\n" % (name.encode(), number))
        line.close()
        self.reported.append((name, line))


def run_agent(agent):
    signal.alarm(120)
    print("MARK agent pid=%d" % os.getpid(), flush=True)
    agent.serve()


def bake(meter, loaves):
    for loaf in range(loaves):
        meter.report("loaves", 1)
        time.sleep(0.2)


if __name__ == "__main__":
    path = os.path.join(tempfile.mkdtemp(), "agent")
    multiprocessing.get_context("fork").Process(
        target=run_agent, args=(Agent(path),), daemon=True
    ).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    bake(Meter(path), 10000)
