import multiprocessing
import os
import struct
import threading
import time
from multiprocessing.shared_memory import SharedMemory

SLOTS, SIZE = 4, 64


class Ring:
    def __init__(self, name=None):
        self.memory = SharedMemory(name, create=name is None, size=SLOTS * SIZE)
        self.current = 0
        self.turn = threading.Lock()

    def slot(self):
        return self.memory.buf[self.current * SIZE : (self.current + 1) * SIZE]

    def write(self, message):
        slot = self.slot()
        while slot[0]:
            time.sleep(0.0005)
        struct.pack_into("q", slot, 8, message)
        slot[0] = 1
        self.current = (self.current + 1) % SLOTS

    def await_page(self):
        slot = self.slot()
        while not slot[0]:
            time.sleep(0.0005)
            if AGAIN:
                slot = self.slot()
        return slot

    def read(self):
        slot = self.await_page()
        with self.turn:
            if not slot[0]:
                return None
            (message,) = struct.unpack_from("q", slot, 8)
            slot[0] = 0
            self.current = (self.current + 1) % SLOTS
            return message


class Reader:
    def __init__(self, name, answers):
        self.ring = Ring(name)
        self.answers = answers
        self.layer = threading.Barrier(2)

    def run_part(self):
        while True:
            message = self.ring.read()
            if message is not None:
                self.layer.wait()
                self.answers.put(message * 2)

    def run(self):
        parts = [threading.Thread(target=self.run_part, name="part-%d" % part) for part in range(2)]
        for part in parts:
            part.start()
        for part in parts:
            part.join()


def run_reader(name, answers):
    Reader(name, answers).run()


def run_engine(name, orders):
    ring = Ring(name)
    while True:
        ring.write(orders.get())


class Frontend:
    def __init__(self, orders, answers):
        self.orders = orders
        self.answers = answers

    def ask_all(self, burst):
        for order in range(burst):
            self.orders.put(order)
        return [self.answers.get() for _ in range(burst)]


def main():
    spawn = multiprocessing.get_context("spawn")
    ring = Ring()
    orders, answers = spawn.Queue(), spawn.Queue()
    name = ring.memory.name
    for target, args in ((run_engine, (name, orders)), (run_reader, (name, answers))):
        spawn.Process(target=target, args=args, name=target.__name__[4:], daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    frontend = Frontend(orders, answers)
    while True:
        frontend.ask_all(2)


AGAIN = True


if __name__ == "__main__":
    main()
