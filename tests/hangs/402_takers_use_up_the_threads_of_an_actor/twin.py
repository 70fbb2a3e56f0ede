import os
import threading
import time

import ray

ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)


@ray.remote(max_concurrency=3)
class Mailbox:
    def __init__(self):
        self.letters = []
        self.filled = threading.Condition()

    def take(self):
        with self.filled:
            self.filled.wait_for(lambda: self.letters)
            return self.letters.pop()

    def put(self, letter):
        with self.filled:
            self.letters.append(letter)
            self.filled.notify()


def exchange(mailbox):
    taken = [mailbox.take.remote() for _ in range(2)]
    for i in range(2):
        mailbox.put.remote(i)
    return ray.get(taken)


mailbox = Mailbox.remote()
print("MARK main pid=%d" % os.getpid(), flush=True)
while True:
    exchange(mailbox)
    time.sleep(0.01)
