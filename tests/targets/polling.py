"""Loops that sleep and look for something in between: ``polling.py NAME``."""

import asyncio
import itertools
import mmap
import os
import pathlib
import struct
import sys
import tempfile
import threading
import time

from ready import ready

RESULTS = {}
MARK = "/nowhere/made by nobody"
FOLDER = pathlib.Path("/nowhere")


class Server:
    def __init__(self):
        self.ready = False
        self.inbox = []

    def run(self):
        while not self.inbox:
            time.sleep(0.02)
        self.ready = True

    def close(self):
        self.ready = False


class App:
    def __init__(self, server):
        self.server = server

    def boot(self):
        ready()
        while not self.server.ready:
            time.sleep(0.05)
        self.server.inbox.append("hello")


def flags_that_wait_for_each_other():
    server = Server()
    threading.Thread(target=server.run, name="server", daemon=True).start()
    App(server).boot()


def flag_of_a_slow_server():
    """Healthy: the server is ready a little later, each time."""
    server = Server()

    def start():
        while True:
            time.sleep(0.3)
            server.ready = True

    threading.Thread(target=start, name="starter", daemon=True).start()
    ready()
    while True:
        server.ready = False
        wait_until_ready(server)


def wait_until_ready(server):
    while not server.ready:
        time.sleep(0.05)


class Door:
    def __init__(self):
        self.is_open = False

    def open(self):
        self.is_open = True


class Porter:
    def __init__(self, door):
        self.door = door
        self.keys = threading.Semaphore(0)

    def work(self):
        self.keys.acquire()
        self.begin()

    def begin(self):
        self.door.open()


def flag_that_a_called_method_sets():
    door = Door()
    threading.Thread(target=Porter(door).work, name="porter", daemon=True).start()
    ready()
    while not door.is_open:
        time.sleep(0.05)


async def open_later(door, gate):
    await gate.wait()
    door.open()


async def wait_at(door):
    task = asyncio.ensure_future(open_later(door, asyncio.Event()))
    ready()
    while not door.is_open:
        await asyncio.sleep(0.05)
    await task


def flag_that_a_method_of_another_task_sets():
    asyncio.run(wait_at(Door()))


def flag_that_nobody_sets():
    server = Server()
    ready()
    wait_until_ready(server)


def open_server(server):
    server.ready = True


def result_that_nobody_stores():
    ready()
    key = "tea"
    while key not in RESULTS:
        time.sleep(0.05)


def store(key):
    RESULTS[key] = 1


async def look_at(server):
    ready()
    while True:
        if server.ready:
            break
        await asyncio.sleep(0.05)


def flag_that_no_task_sets():
    asyncio.run(look_at(Server()))


def mark_that_nobody_makes():
    mark = MARK
    ready()
    while not os.path.exists(mark):
        time.sleep(0.05)


def mark_that_another_function_makes():
    mark = FOLDER / "READY"
    ready()
    while not mark.exists():
        time.sleep(0.05)


def publish(folder):
    (folder / "weights").write_bytes(b"")
    (folder / "READY").touch()


def mark_that_came_meanwhile():
    """Healthy: goes on once it looks again, if only after a long sleep."""
    mark = os.path.join(tempfile.mkdtemp(), "arrived")
    threading.Thread(target=arrive, args=(mark,), daemon=True).start()
    while not os.path.exists(mark):
        time.sleep(600)


def arrive(mark):
    time.sleep(0.5)
    open(mark, "w").close()
    ready()
    time.sleep(600)


def lock_that_came_back():
    """The same, of one that waits until it is gone."""
    mark = os.path.join(tempfile.mkdtemp(), "taken")
    open(mark, "w").close()
    threading.Thread(target=remove, args=(mark,), daemon=True).start()
    while os.path.exists(mark):
        time.sleep(600)


def remove(mark):
    time.sleep(0.5)
    os.remove(mark)
    ready()
    time.sleep(600)


def lock_that_nobody_deletes():
    lock = pathlib.Path(__file__)
    ready()
    while lock.exists():
        time.sleep(0.05)


def name_put_together():
    folder = os.path.dirname(MARK)
    ready()
    while not os.path.exists(folder + "/never made"):
        time.sleep(0.05)


def key_of_a_store():
    store, key = Store(), MARK
    ready()
    while not store.exists(key):
        time.sleep(0.05)


class Store:
    def exists(self, key):
        return False


def number_in_an_object(version=memoryview(bytearray(1))):
    """Compares what is at one place of an object that it was given."""
    ready()
    while int(version[0]) < 1:
        time.sleep(0.05)


class Gate:
    def __init__(self):
        self.memory = mmap.mmap(-1, 8)

    @property
    def seats(self):
        return self.memory

    def enter(self, people):
        if people > 1:
            self.memory[0] = 1
        while not self.memory[0]:
            time.sleep(0.05)

    def sit_down(self, people):
        if people > 1:
            self.seats[1] = 2
        while not self.seats[1]:
            time.sleep(0.05)

    def take_turns(self):
        """Changes it itself, once it goes on: nobody is told as the one who would."""
        while self.memory[0] == 0:
            time.sleep(0.05)
        self.memory[0] = 0

    def is_open(self):
        return self.memory[2] == 1

    def open(self):
        struct.pack_into("B", self.memory, 2, 1)

    def wait_until_open(self):
        while not self.is_open():
            time.sleep(0.05)


def memory_behind_a_method():
    ready()
    Gate().wait_until_open()


def memory_that_only_the_waiter_changes():
    ready()
    Gate().enter(1)


def memory_behind_a_property():
    ready()
    Gate().sit_down(1)


def memory_that_is_changed_afterwards():
    ready()
    Gate().take_turns()


class Trainer:
    def __init__(self):
        self.steps = 0
        self.failed = False

    def fit(self):
        """Healthy: how often it has gone round tells whether it goes on, and nothing else."""
        for epoch in range(1_000_000):
            self.steps += 1
            self.log(epoch)
            if self.steps == 500_000 or epoch == 400_000:
                return
            time.sleep(0.05)

    def log(self, epoch):
        return f"{epoch}: {self.steps}"

    def fit_by_steps(self):
        """Healthy: the same, in a function that it calls."""
        while self.steps < 500_000:
            self.step()

    def step(self):
        self.steps += 1
        time.sleep(0.05)

    def fit_until_failed(self):
        """The other one of its conditions nobody of its own fulfils."""
        while not self.failed:
            self.steps += 1
            if self.steps == 500_000:
                return
            time.sleep(0.05)


def turns_counted():
    ready()
    Trainer().fit()


def turns_counted_by_a_function():
    ready()
    Trainer().fit_by_steps()


async def count_on(news):
    for turn in itertools.count():
        if RESULTS:
            await news.put(turn)
        if RESULTS and turn == 5:
            return
        await asyncio.sleep(0.4)


async def count_on_beside_a_reader():
    news = asyncio.Queue()
    await asyncio.gather(count_on(news), news.get())


def turns_counted_by_itertools():
    """Healthy: RESULTS may come from elsewhere."""
    ready()
    asyncio.run(count_on_beside_a_reader())


def turns_counted_beside_a_flag():
    ready()
    Trainer().fit_until_failed()


def mark_by_a_joined_name():
    ready()
    while not os.path.exists(os.path.join(MARK, "trial")):
        time.sleep(0.05)


class Quota:
    def __init__(self):
        self.lock = threading.Lock()
        self.left = 3

    def spend(self, number):
        while True:
            with self.lock:
                while self.left < number:
                    time.sleep(0.05)
                self.left -= number

    def refill(self):
        time.sleep(0.2)
        with self.lock:
            self.left = 3


def number_that_waits_for_the_lock():
    """The inner one of two loops, with a lock held that who would end it waits for."""
    quota = Quota()
    threading.Thread(target=quota.refill, name="refill", daemon=True).start()
    ready()
    quota.spend(2)


def clock_only():
    """Healthy: sleeps until some time."""
    until = time.time() + 600
    ready()
    while time.time() < until:
        time.sleep(0.05)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
