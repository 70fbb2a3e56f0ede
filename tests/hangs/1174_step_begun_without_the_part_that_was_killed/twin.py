import multiprocessing
import os
import signal
import threading
import time


class Memory:
    def __init__(self, limit):
        self.limit = limit
        self.used = 0

    def watch(self, parts):
        while True:
            self.used += 10
            if self.used > self.limit:
                os.kill(parts[-1].pid, signal.SIGKILL)
                return
            time.sleep(0.1)


def compute(number, gate):
    part = [float(number)] * 256
    while True:
        gate.wait()
        part = [value * 0.5 + number for value in part]
        time.sleep(0.02 + 0.05 * number)


def run_steps(gate):
    step = 0
    while True:
        gate.wait()
        step += 1


LIMIT = 400_000


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    gate = context.Barrier(4)
    parts = [
        context.Process(target=compute, args=(number, gate), name="part-%d" % number, daemon=True)
        for number in range(3)
    ]
    for part in parts:
        part.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    threading.Thread(target=Memory(LIMIT).watch, args=(parts,), name="memory", daemon=True).start()
    run_steps(gate)
