import collections
import os
import threading
import time


class Request:
    def __init__(self, tokens, length):
        self.tokens = list(tokens)
        self.length = length
        self.blocks = []
        self.done = threading.Event()


class BlockPool:
    def __init__(self, count):
        self.free = list(range(count))

    def take(self, count):
        if len(self.free) < count:
            return None
        return [self.free.pop() for _ in range(count)]

    def give_back(self, blocks):
        self.free.extend(blocks)


class Scheduler:
    def __init__(self, pool):
        self.pool = pool
        self.waiting = collections.deque()
        self.running = []

    def add(self, request):
        self.waiting.append(request)

    def schedule(self):
        while self.waiting:
            request = self.waiting[0]
            blocks = self.pool.take(-(-len(request.tokens) // 16))
            if blocks is None:
                break
            request.blocks = blocks
            self.running.append(self.waiting.popleft())
        return list(self.running)

    def finish(self, request):
        self.running.remove(request)
        self.pool.give_back(request.blocks)
        request.done.set()


def step(scheduler):
    for request in scheduler.schedule():
        request.tokens.append(sum(request.tokens) % 512)
        request.length -= 1
        if not request.length:
            scheduler.finish(request)


def run_engine(scheduler):
    while True:
        step(scheduler)
        time.sleep(0.005)


def generate(scheduler, prompts):
    requests = [Request(prompt, 8) for prompt in prompts]
    for request in requests:
        scheduler.add(request)
    for request in requests:
        request.done.wait()
    return [request.tokens for request in requests]


BLOCKS = 99


if __name__ == "__main__":
    scheduler = Scheduler(BlockPool(BLOCKS))
    threading.Thread(target=run_engine, args=(scheduler,), name="engine", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        generate(scheduler, [range(7)] * 10)
        generate(scheduler, [range(1002)] * 5)
