"""Programs whose threads and processes wait for each other and go on, with twins that hang:
``busy.py NAME``. What they wait for takes seconds, so that several looks meet them in it."""

import fcntl
import multiprocessing
import os
import subprocess
import sys
import tempfile
import threading
import time
from cmd import Cmd

from ready import ready

WORK_S = 20
"""How long a piece of work takes: longer than all looks."""
FORK = multiprocessing.get_context("fork")


class Table:
    """Has readers and a writer, who take turns."""

    def __init__(self, tells):
        self.turn = threading.Condition()
        self.writing = False
        self.tells = tells

    def write(self):
        with self.turn:
            self.turn.wait_for(lambda: not self.writing)
            self.writing = True
        time.sleep(WORK_S if self.tells else 0)
        with self.turn:
            self.writing = not self.tells
            self.turn.notify_all()

    def read(self):
        with self.turn:
            self.turn.wait_for(lambda: not self.writing)


def workers_alone(tells=True):
    """Its main thread has started its workers, and is done: they wait for one that writes."""
    table = Table(tells)
    writer = threading.Thread(target=table.write, name="writer")
    writer.start()
    while not table.writing:
        time.sleep(0.01)
    for name in ("anna", "ben"):
        threading.Thread(target=table.read, name=name).start()
    ready()


def workers_never_told():
    """The writer has ended, and has not said that it has."""
    workers_alone(tells=False)


def in_turn(path, twice):
    while True:
        with open(path, "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if twice:
                with open(path) as again:
                    fcntl.flock(again, fcntl.LOCK_EX)
            time.sleep(WORK_S)


def file_lock_in_turn(twice=False):
    """Each of two processes has it for a while."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "store.lock")
        workers = [FORK.Process(target=in_turn, args=(path, twice), daemon=True) for _ in range(2)]
        for worker in workers:
            worker.start()
        ready()
        workers[0].join()


def file_lock_taken_twice():
    file_lock_in_turn(twice=True)


class Shop(Cmd):
    """Takes commands from another program."""

    def do_sell(self, line):
        print("sold", line)


def commands():
    """Nobody has anything for it to do."""
    shop = Shop()
    read_from_another()
    ready()
    shop.cmdloop()


def read_from_another():
    """Have another process at the other end of standard input, which writes nothing."""
    mute = subprocess.Popen(["sleep", "100"], stdout=subprocess.PIPE)
    os.dup2(mute.stdout.fileno(), 0)


def question():
    read_from_another()
    ready()
    input("Go on? ")


def slowly(number, _ballast):
    time.sleep(WORK_S)
    return number


def pool_with_much_to_do():
    """What its workers have yet to do fills the pipe to them."""
    with FORK.Pool(2) as pool:
        results = pool.starmap_async(slowly, ((n, bytes(5000)) for n in range(100)), chunksize=1)
        ready()
        results.get()


def fill(orders, started):
    orders.put("bread")
    orders.put("milk")
    started.release()
    orders.put("salt")


def full_queue_between_processes(takes=True):
    """Who takes from it is slower than who fills it."""
    orders, started = FORK.Queue(2), FORK.Semaphore(0)
    filler = FORK.Process(target=fill, args=(orders, started), daemon=True)
    filler.start()
    started.acquire()
    ready()
    if takes:
        time.sleep(WORK_S)
        orders.get()
    filler.join()


def full_queue_that_nobody_empties():
    full_queue_between_processes(takes=False)


def read_meter(pipe):
    while True:
        os.read(pipe, 100)


def meter_at_its_end():
    """Whoever wrote into the pipe has closed it."""
    reader, writer = os.pipe()
    os.close(writer)
    threading.Thread(target=read_meter, args=(reader,), name="meter").start()
    ready()


def meter_that_runs():
    """Each read brings something."""
    reader = os.open("/dev/zero", os.O_RDONLY)
    threading.Thread(target=read_meter, args=(reader,), name="meter").start()
    ready()


def print_ticket(pipe):
    while True:
        try:
            os.write(pipe, b"ticket")
        except BlockingIOError:
            continue


def printer_that_is_full():
    """Nobody reads from the pipe, and a write does not wait for that."""
    _, writer = os.pipe()
    os.set_blocking(writer, False)
    threading.Thread(target=print_ticket, args=(writer,), name="clerk").start()
    ready()


if __name__ == "__main__":
    globals()[sys.argv[1]]()
