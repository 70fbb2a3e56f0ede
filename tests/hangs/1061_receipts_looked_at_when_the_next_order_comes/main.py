import os
import queue
import threading
import time


class Scheduler:
    def __init__(self):
        self.requests = queue.Queue()
        self.to_write = queue.Queue()
        self.written = queue.Queue()
        self.stored = {}
        self.pages = {}

    def submit(self, name, prompt):
        done = self.stored[name] = threading.Event()
        self.requests.put((name, prompt))
        return done

    def run(self):
        while True:
            try:
                name, prompt = self.requests.get(timeout=PATIENCE)
            except queue.Empty:
                self.check_events()
                continue
            self.check_events()
            self.to_write.put((name, [sum(prompt)] * 16))

    def check_events(self):
        while not self.written.empty():
            self.stored.pop(self.written.get()).set()

    def write_pages(self):
        while True:
            name, page = self.to_write.get()
            time.sleep(0.005)
            self.pages[name] = page
            self.written.put(name)


def share_prefix(scheduler, names):
    done = [scheduler.submit(name, range(8)) for name in names]
    for one in done:
        one.wait()
    return [scheduler.pages[name] for name in names]


PATIENCE = None


if __name__ == "__main__":
    scheduler = Scheduler()
    for target, name in ((scheduler.run, "scheduler"), (scheduler.write_pages, "backup")):
        threading.Thread(target=target, name=name, daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 0
    while True:
        share_prefix(scheduler, [f"prefix-{number}-{part}" for part in range(4)])
        number += 1
