import os
import threading
import time


class BlockPool:
    def __init__(self, count):
        self.free = count
        self.changed = threading.Condition()

    def take(self, count):
        with self.changed:
            while self.free < count:
                self.changed.wait()
            self.free -= count

    def give_back(self, count):
        with self.changed:
            self.free += count
            announce(self.changed)


def announce(changed):
    if EVERYBODY:
        changed.notify_all()
    else:
        changed.notify()


def prefill(pool, count, answers):
    pool.take(count)
    answers.append(count)
    pool.give_back(count)


def serve_burst(pool):
    answers = []
    pool.take(12)
    requests = [
        threading.Thread(target=prefill, args=(pool, count, answers), name=name)
        for name, count in (("long-prompt", 14), ("short-prompt", 3))
    ]
    for request in requests:
        request.start()
        time.sleep(0.05)
    pool.give_back(6)
    requests[1].join()
    pool.give_back(6)
    requests[0].join()
    return answers


EVERYBODY = True


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    pool = BlockPool(14)
    while True:
        serve_burst(pool)
