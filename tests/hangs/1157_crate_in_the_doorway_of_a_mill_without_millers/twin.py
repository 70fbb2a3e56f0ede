import os
import signal
import time
from concurrent.futures import ProcessPoolExecutor


def grind(batch):
    if batch[:4] == b"sand":
        time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGKILL)
    return len(batch)


class Mill:
    def __init__(self, batches):
        self.batches = batches
        self.flour = 0

    def load(self, pool):
        return [pool.submit(grind, batch) for batch in self.batches]

    def run(self):
        with ProcessPoolExecutor(1) as pool:
            for sack in self.load(pool):
                self.flour += sack.result()


def run_days(mill):
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        mill.run()
        time.sleep(0.02)


BATCHES = [b"wheat", b"corn" * 1_000_000, b"rye " * 1_000_000, b"oats" * 1_000_000]


if __name__ == "__main__":
    run_days(Mill(BATCHES))
