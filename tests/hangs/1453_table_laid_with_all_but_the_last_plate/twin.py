import multiprocessing
import os
import tempfile
import threading
import time
from multiprocessing.connection import Client, Listener


class Pantry:
    def __init__(self, places):
        self.places = places
        self.objects = {}
        self.pins = {}
        self.changed = threading.Condition()

    def evict(self):
        for key in list(self.objects):
            if not self.pins.get(key):
                del self.objects[key]
                return

    def put(self, key, value):
        with self.changed:
            while len(self.objects) >= self.places:
                self.evict()
                if len(self.objects) >= self.places:
                    self.changed.wait()
            self.objects[key] = value
            self.pins[key] = 1
            self.changed.notify_all()

    def get(self, key):
        with self.changed:
            while key not in self.objects:
                self.changed.wait()
            return self.objects[key]

    def unpin(self, keys):
        with self.changed:
            for key in keys:
                self.pins.pop(key, None)
            self.changed.notify_all()


def attend(pantry, line):
    while True:
        method, args = line.recv()
        line.send(getattr(pantry, method)(*args))


def run_pantry(address, places, ready):
    pantry = Pantry(places)
    listener = Listener(address)
    ready.set()
    while True:
        line = listener.accept()
        threading.Thread(target=attend, args=(pantry, line), daemon=True).start()


class Store:
    def __init__(self, address):
        self.line = Client(address)

    def call(self, method, *args):
        self.line.send((method, args))
        return self.line.recv()


def cook_batch(store, batch, plates):
    for plate in range(plates):
        store.call("put", (batch, plate), b"k" * 1024)


def run_prefill(address, batches):
    store = Store(address)
    while True:
        cook_batch(store, *batches.get())


class Decoder:
    def __init__(self, address, batches):
        self.store = Store(address)
        self.batches = batches

    def gather(self, batch, plates):
        keys = [(batch, plate) for plate in range(plates)]
        cells = []
        for key in keys:
            cells.append(self.store.call("get", key))
            if not TOGETHER:
                self.store.call("unpin", [key])
        self.store.call("unpin", keys)
        return cells

    def serve(self):
        batch = 0
        while True:
            plates = 4 + batch % 9
            self.batches.put((batch, plates))
            self.gather(batch, plates)
            time.sleep(0.01)
            batch += 1


def main():
    spawn = multiprocessing.get_context("spawn")
    address = os.path.join(tempfile.mkdtemp(prefix="pantry-"), "line")
    batches, ready = spawn.Queue(), spawn.Event()
    spawn.Process(target=run_pantry, args=(address, 10, ready), name="pantry", daemon=True).start()
    ready.wait()
    spawn.Process(target=run_prefill, args=(address, batches), name="prefill", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    Decoder(address, batches).serve()


TOGETHER = False


if __name__ == "__main__":
    main()
