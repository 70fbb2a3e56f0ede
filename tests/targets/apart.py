"""Processes of multiprocessing that wait for one that was killed, or that has a file's lock."""

import fcntl
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from concurrent import futures
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import connection

from ready import ready


def die(_=None):
    os.kill(os.getpid(), signal.SIGKILL)


def wait_for_pool(context):
    with context.Pool(1) as pool:
        answer = pool.map_async(die, [1])
        ready()
        answer.get()


def wait_for_pipe(context):
    here, there = context.Pipe()
    writer = context.Process(target=die)
    writer.start()
    writer.join()
    ready()
    connection.wait([here])
    there.close()


def keep(path, got):
    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        got.set()
        time.sleep(600_000)


def lock(file):
    while True:
        try:
            return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.2)


def wait_for_file(context):
    path = os.path.join(tempfile.mkdtemp(), "orders")
    got = context.Event()
    keeper = context.Process(target=keep, args=(path, got), daemon=True)
    keeper.start()
    got.wait()
    with open(path, "w") as file:
        ready()
        lock(file)


def wait_for_proxy(context):
    manager = context.Manager()
    condition = manager.Condition()
    teller = context.Process(target=poll_then_tell, args=(condition,), daemon=True)
    teller.start()
    with condition:
        ready()
        condition.wait()


def look_for_order(_=None):
    while not os.path.exists("/no/such/order"):
        time.sleep(0.2)


def wait_for_executor(context):
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        future = pool.submit(look_for_order)
        while not future.running():
            time.sleep(0.05)
        ready()
        futures.wait([future])


def poll_then_tell(condition):
    look_for_order()
    with condition:
        condition.notify()


if __name__ == "__main__":
    globals()[sys.argv[1]](multiprocessing.get_context(sys.argv[2]))
