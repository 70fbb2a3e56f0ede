import os
import threading
import time

import ray

ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)


@ray.remote
class Auditor:
    def audit(self, ledger, amount):
        return ray.get(ledger.balance.remote()) + amount >= 0


@ray.remote(max_concurrency=4)
class Ledger:
    def __init__(self, auditor):
        self.auditor = auditor
        self.lock = threading.Lock()
        self.total = 0

    def balance(self):
        with self.lock:
            return self.total

    def book(self, me, amount):
        with self.lock:
            self.total += amount
        return ray.get(self.auditor.audit.remote(me, amount))


def book_day(ledger):
    return ray.get([ledger.book.remote(ledger, amount) for amount in range(3)])


if __name__ == "__main__":
    ledger = Ledger.remote(Auditor.remote())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        book_day(ledger)
        time.sleep(0.02)
