import logging
import threading
from concurrent.futures import ThreadPoolExecutor

log = logging.getLogger("kitchen")


class Step:
    def __init__(self, name, work, after=()):
        self.name = name
        self.work = work
        self.after = tuple(after)


class Flow:
    """Runs steps, each when those before it are done."""

    def __init__(self, steps, cooks=3):
        self.steps = {step.name: step for step in steps}
        self.left = {step.name: set(step.after) for step in steps}
        self.open = len(self.steps)
        self.guard = threading.Lock()
        self.served = threading.Event()
        self.pool = ThreadPoolExecutor(cooks, thread_name_prefix="cook")

    def run(self):
        for name in [name for name, before in self.left.items() if not before]:
            self.pool.submit(self.carry_out, self.steps[name])
        self.served.wait()
        self.pool.shutdown()

    def carry_out(self, step):
        step.work()
        self.done(step)

    def done(self, step):
        with self.guard:
            self.open -= 1
            ready = []
            for name, before in self.left.items():
                if step.name in before:
                    before.discard(step.name)
                    if not before:
                        ready.append(name)
        for name in ready:
            self.pool.submit(self.carry_out, self.steps[name])
        if not self.open:
            self.served.set()
