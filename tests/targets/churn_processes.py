"""Healthy programs whose processes, and threads that start them, live for milliseconds.

The first argument names the program.
"""

import concurrent.futures
import ctypes
import fcntl
import multiprocessing
import os
import signal
import subprocess
import tempfile
import threading
import time
import warnings

from churning import churn, end, main, pause, start, until_alone, work
from ready import PYTHON

context = multiprocessing.get_context("fork")


def _bound():
    """For a worker of the main thread: end with it."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def again_and_again(play):
    """Repeat it on the main thread, which is the one that may fork, while a thread watches stdin.

    A child that a thread forks would get a copy of every lock as it is at that moment.
    """
    start(until_alone)
    while True:
        play()


def in_children(*plays, children=4):
    """Run the functions in children that do some rounds and are then replaced."""

    def live(play, number):
        for _ in range(3):
            play(number)
            pause()

    def begin(number):
        play = plays[number % len(plays)]
        child = context.Process(target=live, args=(play, number), daemon=True)
        child.start()
        return child

    places = [begin(number) for number in range(children)]

    def replace():
        for number, child in enumerate(places):
            child.join()
            assert child.exitcode == 0, child
            places[number] = begin(number)

    again_and_again(replace)


def shared_locks():
    """A lock, an RLock, a semaphore and a condition that processes share."""
    lock, again, slots = context.Lock(), context.RLock(), context.Semaphore(2)
    changed = context.Condition()

    def with_locks(number):
        with slots:
            with lock:
                pause()
            with again, again:
                pause()

    def notify(number):
        with changed:
            changed.wait(0.001)
            changed.notify_all()

    in_children(with_locks, notify, with_locks)


def queues():
    """Queues whose ends are in processes that come and go; each has a feeder thread."""
    requests, replies = context.Queue(2), context.SimpleQueue()

    def ask(number):
        requests.put(number)
        replies.get()

    def answer(number):
        replies.put(work(requests.get()))

    in_children(ask, answer)


def shared_memory():
    """Values in shared memory with a lock beside them, and an event."""
    total, ring, event = context.Value("L", 0), context.Array("i", 10), context.Event()

    def count(number):
        with total.get_lock():
            total.value += 1
            pause()
        with ring:
            ring[number] += 1
        event.set()

    def expect(number):
        event.wait(0.002)
        event.clear()

    in_children(count, expect, count)


def pool():
    """A pool whose workers do three tasks and end."""
    with context.Pool(2, _bound, maxtasksperchild=3) as workers:
        again_and_again(lambda: workers.map(work, [300] * 6, chunksize=1))


def slow_input(items):
    for item in range(items):
        time.sleep(0.02)
        yield item


def pool_imap():
    """A pool that waits for its input most of the time."""
    with context.Pool(2, _bound) as workers:

        def feed():
            for _ in workers.imap(work, slow_input(5)):
                pause()

        again_and_again(feed)


def executor():
    """An executor per life, with all that belongs to it."""

    def use():
        with concurrent.futures.ProcessPoolExecutor(2, context) as workers:
            list(workers.map(work, [300] * 4))

    again_and_again(use)


def manager():
    """A manager's process whose threads serve proxies for a moment each."""
    with context.Manager() as server:
        shared, lock = server.dict(), server.Lock()

        def use(number):
            with lock:
                shared[number] = work()

        in_children(use, children=2)


def pipes():
    """A pair of connected ends per life, read by a child that ends."""

    def answer(connection):
        connection.send(connection.recv())

    def talk():
        own, other = context.Pipe()
        child = context.Process(target=answer, args=(other,), daemon=True)
        child.start()
        other.close()
        own.send(b"x" * 100000)
        own.recv()
        child.join()
        own.close()

    again_and_again(talk)


def commands():
    """Commands and pipelines, each waited for by a thread that ends."""

    def call(number):
        subprocess.check_call(["true"])

    def read(number):
        assert subprocess.check_output(["sh", "-c", "sleep 0.003; echo word"]) == b"word\n"

    def pipeline(number):
        first = subprocess.Popen(["sort"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        second = subprocess.Popen(["wc"], stdin=first.stdout, stdout=subprocess.PIPE)
        first.stdout.close()
        first.stdin.write(b"some words to count\n" * 5000)
        first.stdin.close()
        second.communicate()
        first.wait()

    churn(call, read, pipeline, threads=3)


def interpreters():
    """A Python child after the other, of which each starts, says a word and ends."""

    def ask(number):
        program = "import threading; print('word')"
        assert subprocess.check_output([PYTHON, "-S", "-c", program]) == b"word\n"

    churn(ask, threads=2)


def forks():
    """Children that threads fork, which end at once, and are waited for in every usual way."""
    warnings.simplefilter("ignore", DeprecationWarning)  # the children run no code but their end

    def fork(milliseconds):
        child = os.fork()
        if child == 0:
            time.sleep(milliseconds / 1000)
            os._exit(0)
        return child

    def wait(number):
        assert os.waitpid(fork(number), 0)[1] == 0

    def poll(number):
        child = fork(number)
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            pause(0.001)

    def read_end(number):
        reading, writing = os.pipe()
        child = fork(number)
        os.close(writing)
        # Children of other threads may have the writing end for as long as they live.
        while os.read(reading, 1):
            pass
        os.close(reading)
        os.waitpid(child, 0)

    churn(wait, poll, read_end, threads=3)


def file_locks():
    """Locks on one file: of descriptors, and of processes, some of them waited for."""
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "lock")
    open(path, "w").close()

    def by_descriptor(number):
        with open(path) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            pause()

    def shared(number):
        with open(path) as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            pause()

    def by_process(number):
        with open(path, "r+") as file:
            fcntl.lockf(file, fcntl.LOCK_EX)
            pause()
            fcntl.lockf(file, fcntl.LOCK_UN)

    in_children(by_descriptor, by_process, shared)


def file_locks_of_threads():
    """Locks on one file that threads take on descriptors of their own."""
    handle, path = tempfile.mkstemp()
    os.close(handle)

    def take(number):
        with open(path) as file:
            fcntl.flock(file, fcntl.LOCK_EX if number else fcntl.LOCK_SH)
            pause()

    churn(take, threads=4)


def restarted():
    """A child that becomes another program, and is replaced when that has ended."""

    def replace():
        child = context.Process(target=os.execv, args=("/bin/sleep", ["sleep", "0.01"]))
        child.start()
        child.join()

    again_and_again(replace)


def two_generations():
    """Children whose own children outlive them: init, or whoever reaps, waits for those."""

    def leave():
        child = context.Process(target=_leave_child)
        child.start()
        child.join()

    again_and_again(leave)


def _leave_child():
    subprocess.Popen(["sleep", "0.02"])
    os._exit(0)


def threads_and_children():
    """Threads join threads that wait for children that end."""

    def wait():
        subprocess.call(["sleep", "0.002"])

    def join(number):
        thread = threading.Thread(target=wait, daemon=True)
        thread.start()
        thread.join()

    churn(join, threads=3)


if __name__ == "__main__":
    try:
        main(globals())
    finally:
        end()
