import multiprocessing
import os
import time
from multiprocessing import shared_memory

PAGE = 4096


class Hooks:
    """Staging buffers in shared memory, which all engines of the host share."""

    def __init__(self, context, count):
        self.memory = shared_memory.SharedMemory(create=True, size=count * PAGE)
        self.free = context.Semaphore(count)
        self.taken = context.Array("b", count)

    def take(self):
        self.free.acquire()
        with self.taken.get_lock():
            number = list(self.taken).index(0)
            self.taken[number] = 1
            return number

    def give_back(self, number):
        with self.taken.get_lock():
            self.taken[number] = 0
        self.free.release()


class Crane:
    """Copies the pages of a request from one place to the other."""

    def __init__(self, hooks, loads):
        self.hooks = hooks
        self.loads = loads
        self.moved = 0

    def read_page(self, hook):
        self.hooks.memory.buf[hook * PAGE : (hook + 1) * PAGE] = b"k" * PAGE
        time.sleep(0.002)

    def lift(self):
        keys = self.hooks.take()
        self.read_page(keys)
        values = keys if not BOTH else self.hooks.take()
        self.read_page(values)
        for hook in {keys, values}:
            self.hooks.give_back(hook)

    def work(self):
        while True:
            self.lift()
            self.moved += 1
            self.loads.put(self.moved)


def run_crane(hooks, loads):
    Crane(hooks, loads).work()


class Harbour:
    def __init__(self):
        context = multiprocessing.get_context("fork")
        self.hooks = Hooks(context, 2)
        self.loads = [context.Queue(4), context.Queue(4)]
        self.cranes = [
            context.Process(
                target=run_crane, args=(self.hooks, loads), name="crane-%d" % number, daemon=True
            )
            for number, loads in enumerate(self.loads)
        ]

    def open(self):
        for crane in self.cranes:
            crane.start()

    def unload(self):
        return [loads.get() for loads in self.loads]


def main():
    harbour = Harbour()
    harbour.open()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        harbour.unload()


BOTH = True


if __name__ == "__main__":
    main()
