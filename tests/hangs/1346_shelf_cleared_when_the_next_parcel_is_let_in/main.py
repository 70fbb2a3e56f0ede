import multiprocessing
import os
import time

import zmq


class Cache:
    def __init__(self, room, store):
        self.room = room
        self.pinned = {}
        self.store = store

    def free_room(self):
        return self.room - len(self.pinned)

    def pin(self, page):
        self.pinned[page] = False
        self.store.send_pyobj(page)

    def look_for_receipts(self):
        while self.store.poll(0):
            page = self.store.recv_pyobj()
            self.pinned[page] = True

    def evict(self):
        self.look_for_receipts()
        for page in [page for page, stored in self.pinned.items() if stored]:
            del self.pinned[page]


def next_batch(cache, waiting):
    if EARLY:
        cache.evict()
    batch = []
    while waiting and cache.free_room() >= len(batch) + 2:
        batch.append(waiting.pop(0))
    return batch


def start_request(cache, request):
    cache.evict()
    cache.pin((request, 0))
    cache.pin((request, 1))


def run_scheduler(front, store_at):
    context = zmq.Context()
    requests, store = context.socket(zmq.PAIR), context.socket(zmq.PAIR)
    requests.connect(front)
    store.connect(store_at)
    cache, waiting = Cache(6, store), []
    while True:
        while requests.poll(5):
            waiting.append(requests.recv_pyobj())
        for request in next_batch(cache, waiting):
            start_request(cache, request)
            requests.send_pyobj(request)


def run_store(address):
    socket = zmq.Context().socket(zmq.PAIR)
    socket.bind(address)
    while True:
        page = socket.recv_pyobj()
        time.sleep(0.01)
        socket.send_pyobj(page)


def serve(socket, first):
    burst = range(first, first + 3)
    for request in burst:
        socket.send_pyobj(request)
    return [socket.recv_pyobj() for request in burst]


def main():
    spawn = multiprocessing.get_context("spawn")
    front, store_at = ["ipc:///tmp/shelf-%d-%s" % (os.getpid(), end) for end in "ab"]
    socket = zmq.Context().socket(zmq.PAIR)
    socket.bind(front)
    spawn.Process(target=run_store, args=(store_at,), name="store", daemon=True).start()
    spawn.Process(
        target=run_scheduler, args=(front, store_at), name="scheduler", daemon=True
    ).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    first = 0
    while True:
        serve(socket, first)
        first += 3
        time.sleep(0.1)


EARLY = False


if __name__ == "__main__":
    main()
