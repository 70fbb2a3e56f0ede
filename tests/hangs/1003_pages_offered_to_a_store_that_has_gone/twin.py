import concurrent.futures
import multiprocessing
import os
import queue
import sys
import tempfile
import threading
import time

import zmq


def run_store(path):
    socket = zmq.Context().socket(zmq.ROUTER)
    socket.bind("ipc://" + path)
    pages = {}
    while True:
        client, number, page = socket.recv_multipart()
        pages[number] = page[:4096]
        if len(pages) > CAPACITY:
            sys.exit(1)
        socket.send_multipart([client, number])


class StoreClient:
    def __init__(self, path):
        self.socket = zmq.Context().socket(zmq.DEALER)
        self.socket.set_hwm(2)
        self.socket.linger = 0
        self.socket.connect("ipc://" + path)
        self.asked = queue.Queue()
        self.pending = {}
        threading.Thread(target=self.run, name="store-client", daemon=True).start()

    def request(self, number, page):
        future = concurrent.futures.Future()
        self.asked.put((b"%d" % number, page, future))
        return future

    def offer(self):
        while not self.asked.empty():
            number, page, future = self.asked.get()
            self.pending[number] = future
            self.socket.send_multipart([number, page])

    def run(self):
        while True:
            self.offer()
            if self.socket.poll(5):
                number = self.socket.recv()
                self.pending.pop(number).set_result(len(self.pending))


def store_pages(client, numbers):
    futures = [client.request(number, PAGE) for number in numbers]
    return [future.result() for future in futures]


PAGE = bytes(400_000)
CAPACITY = 2000


if __name__ == "__main__":
    path = tempfile.mkdtemp(prefix="kv-") + "/store"
    multiprocessing.Process(target=run_store, args=(path,), name="kv-store", daemon=True).start()
    client = StoreClient(path)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    first = 0
    while True:
        store_pages(client, range(first, first + 16))
        first = (first + 16) % 400
        time.sleep(0.05)
