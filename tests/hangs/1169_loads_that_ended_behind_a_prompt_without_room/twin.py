import collections
import os
import threading
import time


class Request:
    def __init__(self, name, blocks, loaded=0):
        self.name = name
        self.blocks = blocks
        self.loaded = loaded
        self.held = 0
        self.parked = False
        self.done = threading.Event()


class Scheduler:
    def __init__(self, free):
        self.free = free
        self.waiting = collections.deque()
        self.running = []
        self.received = set()
        self.changed = threading.Condition()

    def add(self, request):
        with self.changed:
            if request.loaded:
                request.held = request.loaded
                request.parked = True
                self.free -= request.loaded
                self.waiting.append(request)
            else:
                self.waiting.appendleft(request)
            self.changed.notify()

    def receive(self, request):
        with self.changed:
            self.received.add(request.name)
            self.changed.notify()

    def schedule(self):
        for request in list(self.waiting):
            if request.parked and request.name not in self.received:
                continue
            request.parked = False
            missing = request.blocks - request.held
            if missing > self.free:
                if SKIP:
                    continue
                break
            self.free -= missing
            request.held = request.blocks
            self.waiting.remove(request)
            self.running.append(request)
        return self.running

    def run(self):
        while True:
            with self.changed:
                while not self.schedule():
                    self.changed.wait()
                batch, self.running = self.running, []
            time.sleep(0.005)
            with self.changed:
                for request in batch:
                    self.free += request.held
                    request.done.set()


def fetch_blocks(scheduler, requests):
    for request in requests:
        time.sleep(0.02)
        scheduler.receive(request)


def serve(scheduler, round_):
    loads = [Request("load-%d-%d" % (round_, i), 40, 30) for i in range(2)]
    for request in loads:
        scheduler.add(request)
    prompt = Request("prompt-%d" % round_, 60)
    if round_ >= LATER:
        scheduler.add(prompt)
    fetch_blocks(scheduler, loads)
    for request in loads:
        request.done.wait()
    if round_ < LATER:
        scheduler.add(prompt)
    prompt.done.wait()


LATER = 30
SKIP = True


if __name__ == "__main__":
    scheduler = Scheduler(100)
    threading.Thread(target=scheduler.run, name="engine-core", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    round_ = 0
    while True:
        serve(scheduler, round_)
        round_ += 1
