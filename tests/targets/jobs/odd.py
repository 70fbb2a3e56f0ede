"""The ways in which one rank of a job hangs for a reason of its own; each leaves who it is."""

import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import threading
import time

ODD = 5
HOLDS = os.environ["HANGTUI_JOB"]
"""A folder: who hangs writes a file there."""


def leave_word():
    """Who hangs, for the judge: the host, the PID there."""
    path = os.path.join(HOLDS, "odd")
    with open(path + "~", "w") as file:
        file.write("%s %d" % (socket.gethostname(), os.getpid()))
    os.rename(path + "~", path)


def lock_ring():
    """Two threads take two locks in opposite orders."""
    stock, prices, both = threading.Lock(), threading.Lock(), threading.Barrier(2)

    def refresh():
        with prices:
            both.wait()
            with stock:
                pass

    threading.Thread(target=refresh, name="refresh", daemon=True).start()
    with stock:
        both.wait()
        leave_word()
        with prices:  # HERE
            pass


def full_pipe():
    """A child that reads nothing, and more than a pipe holds."""
    child = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(3600)"], stdin=subprocess.PIPE
    )
    leave_word()
    child.stdin.write(b"x" * 500_000)  # HERE
    child.stdin.flush()


def _load(tasks, batches):
    for number in iter(tasks.get, None):
        batches.put(number)


def lost_worker():
    """A worker that was killed, and whose answer is waited for."""
    tasks, batches = multiprocessing.Queue(), multiprocessing.Queue()
    worker = multiprocessing.Process(target=_load, args=(tasks, batches), daemon=True)
    worker.start()
    os.kill(worker.pid, signal.SIGKILL)
    while worker.is_alive():
        time.sleep(0.1)
    tasks.put(1)
    leave_word()
    batches.get()  # HERE


def own_lock():
    """A lock that the thread has itself."""
    table = threading.Lock()
    with table:
        leave_word()
        with table:  # HERE
            pass


def join_under_lock():
    """A thread that is joined with the lock held that it needs."""
    cart = threading.Lock()

    def count():
        with cart:
            pass

    with cart:
        counter = threading.Thread(target=count, name="counter", daemon=True)
        counter.start()
        leave_word()
        counter.join()  # HERE


def well():
    """No hang: it is merely said that the job is at work."""
    if not os.path.exists(os.path.join(HOLDS, "odd")):
        leave_word()


WAYS = {
    way.__name__: way
    for way in (well, lock_ring, full_pipe, lost_worker, own_lock, join_under_lock)
}
