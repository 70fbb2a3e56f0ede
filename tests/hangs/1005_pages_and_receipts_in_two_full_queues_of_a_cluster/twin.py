import os
import time

import ray
from ray.util.queue import Queue


@ray.remote(num_cpus=0)
class Encoder:
    def __init__(self, pages, receipts):
        self.pages = pages
        self.receipts = receipts

    def encode(self, count):
        for number in range(count):
            self.pages.put("page %d" % number)
        return [self.receipts.get() for _ in range(count)]


@ray.remote(num_cpus=0)
class Decoder:
    def __init__(self, pages, receipts):
        self.pages = pages
        self.receipts = receipts

    def decode(self):
        while True:
            page = self.pages.get()
            self.receipts.put(page.upper())


def run_batches(encoder):
    number = 0
    while True:
        ray.get(encoder.encode.remote(1 + number % BURST))
        number += 1
        time.sleep(0.05)


BURST = 3


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    pages, receipts = Queue(maxsize=3), Queue(maxsize=3)
    encoder, decoder = Encoder.remote(pages, receipts), Decoder.remote(pages, receipts)
    decoder.decode.remote()
    ray.get(encoder.encode.remote(1))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run_batches(encoder)
