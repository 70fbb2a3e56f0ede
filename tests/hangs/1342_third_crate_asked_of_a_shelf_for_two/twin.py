import multiprocessing
import os
import threading
import time
from multiprocessing.connection import Client, Listener


class Shelf:
    def __init__(self, room):
        self.room = room
        self.pages = {}
        self.changed = threading.Condition()

    def insert(self, request, page):
        with self.changed:
            while len(self.pages) >= self.room:
                self.changed.wait()
            self.pages[request] = page
            self.changed.notify_all()

    def select(self, request):
        with self.changed:
            while request not in self.pages:
                self.changed.wait()
            page = self.pages.pop(request)
            self.changed.notify_all()
            return page


def answer_decode(shelf, listener):
    with listener.accept() as peer:
        while True:
            peer.send(shelf.select(peer.recv()))


def prefill(addresses, prompts):
    shelf = Shelf(ROOM)
    listener = Listener(("127.0.0.1", 0))
    addresses.put(listener.address)
    threading.Thread(
        target=answer_decode, args=(shelf, listener), name="listener", daemon=True
    ).start()
    while True:
        request = prompts.get()
        time.sleep(0.02)
        shelf.insert(request, b"page %d" % request)


def fetch(peer, request):
    peer.send(request)
    return peer.recv()


def decode(address, orders, words):
    with Client(address) as peer:
        while True:
            request = orders.get()
            page = fetch(peer, request)
            words.put((request, len(page)))


def complete(prompts, orders, words, batch):
    for request in batch:
        prompts.put(request)
    shortest_first = sorted(batch, key=lambda request: -request)
    for request in shortest_first:
        orders.put(request)
    return [words.get() for request in batch]


def main():
    context = multiprocessing.get_context("spawn")
    addresses, prompts, orders, words = [context.Queue() for _ in range(4)]
    context.Process(target=prefill, args=(addresses, prompts), name="prefill", daemon=True).start()
    context.Process(
        target=decode, args=(addresses.get(), orders, words), name="decode", daemon=True
    ).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    first, turn = 0, 0
    while True:
        size = 1 + turn % 3
        complete(prompts, orders, words, range(first, first + size))
        first += size
        turn += 1


ROOM = 16


if __name__ == "__main__":
    main()
