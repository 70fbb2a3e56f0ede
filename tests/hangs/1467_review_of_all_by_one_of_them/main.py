import itertools
import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor

TURN = 12


class Consumer:
    def __init__(self):
        self.assigned = threading.Lock()
        self.flying = {}
        self.pool = ThreadPoolExecutor(3, thread_name_prefix="handle")
        self.over = threading.Event()

    def fetch(self):
        for number in itertools.count():
            with self.assigned:
                self.flying[number] = self.pool.submit(self.handle, number)
            time.sleep(0.05)

    def handle(self, number):
        time.sleep(0.08)
        if number == TURN:
            self.revoke()
        self.flying.pop(number, None)

    def revoke(self):
        with self.assigned:
            for task in list(self.flying.values()):
                task.result()

    def beat(self):
        while not self.over.wait(0.3):
            pass


def main():
    consumer = Consumer()
    for job in (consumer.fetch, consumer.beat):
        threading.Thread(target=job, name=job.__name__, daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    consumer.over.wait()


main()
