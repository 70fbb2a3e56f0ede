"""Healthy programs of several processes, each busy in its own way: nothing is wrong in any of them.

The first argument names the program. All of them live in one process group, so that whoever starts
one can end it whole.
"""

import concurrent.futures
import multiprocessing
import subprocess
import sys
import threading

from ready import PYTHON, ready

context = multiprocessing.get_context("fork")
WORKERS = 2


def work(size=2000):
    return sum(i * i for i in range(size))


def start(play, *arguments):
    context.Process(target=play, args=arguments, daemon=True).start()


def pool():
    """A multiprocessing.Pool with plenty to do."""
    with context.Pool(WORKERS) as workers:
        workers.map(work, [2000] * 8)
        ready()
        while True:
            workers.map(work, [20000] * 50, chunksize=1)


def executor():
    """A ProcessPoolExecutor with plenty to do."""
    with concurrent.futures.ProcessPoolExecutor(WORKERS) as workers:
        list(workers.map(work, [2000] * 8))
        ready()
        while True:
            list(workers.map(work, [20000] * 50))


def serve_queue(requests, replies):
    while True:
        replies.put(work(requests.get()))


def queues():
    """Workers between two queues, of which one is bounded."""
    requests, replies = context.Queue(4), context.Queue()
    for _ in range(WORKERS):
        start(serve_queue, requests, replies)

    def feed():
        while True:
            requests.put(2000)

    threading.Thread(target=feed, name="feeder", daemon=True).start()
    replies.get()
    ready()
    while True:
        replies.get()


def serve_pipe(connection):
    while True:
        connection.send(work(connection.recv()))


def pipes():
    """Workers that answer over pipes."""
    ends = []
    for _ in range(WORKERS):
        own, other = context.Pipe()
        start(serve_pipe, other)
        ends.append(own)
    ready()
    while True:
        for end in ends:
            end.send(2000)
        for end in ends:
            end.recv()


def contend(lock, slots, total):
    while True:
        with slots:
            with lock:
                total.value += 1
            work(500)


def shared_locks():
    """Processes that contend for a lock, a semaphore and a shared value."""
    lock, slots, total = context.Lock(), context.Semaphore(2), context.Value("L", 0)
    for _ in range(3):
        start(contend, lock, slots, total)
    ready()
    contend(lock, slots, total)


def tick(stop, total):
    while not stop.wait(0.02):
        with total.get_lock():
            total.value += work() % 2


def ticking():
    """Children that do something each time an event of multiprocessing has not been set."""
    stop, total = context.Event(), context.Value("i", 0)
    for _ in range(WORKERS):
        start(tick, stop, total)
    ready()
    for child in multiprocessing.active_children():
        child.join()


def pipelines():
    """Shell pipelines, one after the other, on several threads."""
    text = b"some words to count\n" * 5000

    def run():
        while True:
            first = subprocess.Popen(["sort"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            second = subprocess.Popen(["wc"], stdin=first.stdout, stdout=subprocess.PIPE)
            first.stdout.close()
            first.stdin.write(text)
            first.stdin.close()
            second.communicate()
            first.wait()

    for number in range(3):
        threading.Thread(target=run, name="runner-%d" % number, daemon=True).start()
    ready()
    threading.Event().wait()


def waiting_for_children():
    """A parent that waits for one busy child after the other."""
    ready()
    while True:
        subprocess.check_call([PYTHON, "-S", "-c", "sum(range(300000))"])


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    globals()[sys.argv[1]]()
