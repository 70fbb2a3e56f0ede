"""A shop in one of several shapes, healthy or hung: what keeps it is a lock that a loop only tries,
the callback of a pool's result, the handler of a signal, a pool's workers at exit, or a service
behind another one."""

import multiprocessing
import queue
import signal
import socket
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor

from ready import ready

KIND, STATE = sys.argv[1:3]
HUNG = STATE == "hung"
FORK = multiprocessing.get_context("fork")


class Ledger:
    def __init__(self):
        self.lock = threading.Lock()
        self.posted = queue.Queue()

    def archive(self):
        while True:
            with self.lock:
                if HUNG:
                    self.posted.join()
                time.sleep(0.4 if STATE == "slow" else 0.001)
            time.sleep(0.001)

    def post(self):
        while not self.lock.acquire(blocking=False):
            time.sleep(0.1)
        self.lock.release()

    def run(self):
        self.posted.put(1)
        threading.Thread(target=self.archive, name="archiver", daemon=True).start()
        time.sleep(0.2)
        ready()
        while True:
            self.post()
            time.sleep(0.05)


class Renderer:
    def __init__(self):
        self.slots = queue.Queue()

    def collect(self, number):
        if HUNG:
            self.slots.get()

    def run(self):
        pool = FORK.Pool(2)
        ready()
        while True:
            one = pool.apply_async(render, (1,), callback=self.collect)
            one.get()


def render(number):
    if STATE == "slow":
        time.sleep(3)
    return number


class Importer:
    def __init__(self):
        self.jobs = queue.Queue()
        self.resumed = threading.Event()

    def on_import(self, *_):
        self.jobs.join() if HUNG else self.resumed.wait()

    def on_resume(self, *_):
        self.resumed.set()

    def run(self):
        self.jobs.put(1)
        signal.signal(signal.SIGUSR1, self.on_import)
        if not HUNG:
            signal.signal(signal.SIGUSR2, self.on_resume)
        ready()
        signal.raise_signal(signal.SIGUSR1)


def export(number):
    if number == 0:
        ready()
    if HUNG:
        queue.Queue().get()
    time.sleep(20)
    return number


def leave():
    executor = ProcessPoolExecutor(2, mp_context=FORK)
    for number in range(2):
        executor.submit(export, number)


def ask(port):
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"price?")
        return connection.recv(100)


def serve(listener, behind):
    while True:
        connection, _ = listener.accept()
        connection.recv(100)
        if behind:
            ask(behind)
        elif HUNG:
            threading.Event().wait()
        else:
            time.sleep(4)
        connection.sendall(b"9")
        connection.close()


def shop():
    """Asks a gateway, which asks a supplier: three processes."""
    gateway, supplier = (socket.create_server(("127.0.0.1", 0)) for _ in range(2))
    ports = [one.getsockname()[1] for one in (gateway, supplier)]
    for listener, behind in ((supplier, 0), (gateway, ports[1])):
        FORK.Process(target=serve, args=(listener, behind), daemon=True).start()
    gateway.close()
    supplier.close()
    ready()
    while True:
        ask(ports[0])


RUNS = {
    "tried": lambda: Ledger().run(),
    "callback": lambda: Renderer().run(),
    "handler": lambda: Importer().run(),
    "exit": leave,
    "chain": shop,
}
if __name__ == "__main__":
    RUNS[KIND]()
