"""Greenlets of gevent that hang, and such as do not: ``greenlets.py NAME``.

A hub without anything to wait for ends the program, so something ticks in nearly all of them.
"""

# ruff: noqa: E402  gevent patches before anything else is imported
import sys

from gevent import monkey

NAME = sys.argv[1]
if not NAME.startswith("plain_"):
    monkey.patch_all()

import queue
import socket
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import gevent
import gevent.event
import gevent.lock
import gevent.pool
import gevent.queue
from gevent.server import StreamServer
from ready import ready

OFTEN_S = 0.02
BLOCK = ("blocked", "plain_lock", "plain_handed", "plain_native_queue")
"""What stops the hub."""
left, right = threading.Lock(), threading.Lock()


def tick(seconds=OFTEN_S):
    while True:
        gevent.sleep(seconds)


def taking(first, second, taken, both):
    """Takes two locks; waits for the second one until *both* have their first."""
    with first:  # takes the first
        taken.set()
        both.wait()
        with second:  # wants the second
            pass


def opposite(one, other):
    """Two greenlets that take the same locks in opposite orders."""
    first, second = gevent.event.Event(), gevent.event.Event()
    move = gevent.spawn(taking, one, other, first, second)
    back = gevent.spawn(taking, other, one, second, first)
    gevent.joinall([move, back])


def ring():
    opposite(left, right)


def plain_ring():
    """The locks of gevent itself, without any patch."""
    opposite(gevent.lock.RLock(), gevent.lock.BoundedSemaphore(1))


def threads_ring():
    """What the program takes for threads, and one of their reentrant locks."""
    third = threading.RLock()
    gate = threading.Barrier(3)

    def work(first, second):
        with first:
            gate.wait()
            with second:
                pass

    pairs = (("one", left, right), ("two", right, third), ("three", third, left))
    threads = [threading.Thread(target=work, name=n, args=(a, b)) for n, a, b in pairs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def twice():
    """A lock that is not reentrant, taken again."""

    def outer():
        with left:
            inner()

    def inner():
        with left:
            pass

    gevent.spawn(outer).join()


def pool():
    """A pool all of whose greenlets wait for another place in it."""
    workers = gevent.pool.Pool(2)
    gate = threading.Barrier(2)

    def outer():
        gate.wait()
        workers.spawn(time.sleep, 0).join()

    gevent.joinall([workers.spawn(outer), workers.spawn(outer)])


def store_in(database):
    database.acquire()
    gevent.sleep(0.01)
    database.release()


def crawl_with(database, workers):
    database.acquire()
    for _ in range(3):
        workers.spawn(store_in, database)
    database.release()


def permit():
    """A greenlet of a full pool keeps the only permit that another one of the pool waits for."""
    workers, database = gevent.pool.Pool(2), gevent.lock.BoundedSemaphore(1)
    workers.spawn(crawl_with, database, workers)
    workers.join()


def renew():
    """May do anything, as far as can be told from where its caller sleeps."""


def keep_renewing():
    while True:
        gevent.sleep(OFTEN_S)
        renew()


def permit_renewed():
    """The same beside a greenlet that does more than to sleep."""
    gevent.spawn(keep_renewing)
    permit()


def take_jobs(jobs):
    while True:
        job = jobs.get()
        if job == 1:
            raise ValueError("so it is never done")
        jobs.task_done()


def undone():
    """A worker failed before its item was done, and the others wait for the next one."""
    jobs = gevent.queue.JoinableQueue()
    for _ in range(2):
        gevent.spawn(take_jobs, jobs)
    for number in range(3):
        jobs.put(number)
    jobs.join()


def give_jobs(jobs):
    for number in range(3):
        gevent.sleep(0.1)
        jobs.put(number)


def plain_native_queue():
    """A queue of threads between greenlets: who takes from it stops the one that would put."""
    jobs = queue.Queue()
    gevent.spawn(give_jobs, jobs)
    gevent.spawn(jobs.get).join()


def joined_within():
    """A greenlet of a pool waits for the end of all of that pool's greenlets."""
    workers = gevent.pool.Pool(2)

    def ticker():
        while True:
            gevent.sleep(0.05)

    def member():
        gevent.sleep(0)
        workers.join()

    gevent.spawn(ticker)
    workers.spawn(member)
    workers.join()


def render(pool):
    return pool.submit(int, 1).result()


def starved():
    """Both workers of a patched executor wait for what is queued behind them."""
    pool, both = ThreadPoolExecutor(2), threading.Barrier(2)

    def outer():
        both.wait()
        return render(pool)

    tasks = [pool.submit(outer) for _ in range(2)]
    tasks[0].result()


def healthy_executors():
    """Tasks of one pool wait for those of another one, which is full most of the time."""
    outer, inner = ThreadPoolExecutor(3), ThreadPoolExecutor(1)
    while True:
        for future in [outer.submit(render, inner) for _ in range(6)]:
            future.result()
            time.sleep(0.001)


def flush(flushed):
    try:
        gevent.sleep(600)
    finally:
        flushed.wait()


def killed():
    """Waits for the end of one that waits for what is set only after that."""
    while True:
        flushed = gevent.event.Event()
        one = gevent.spawn(flush, flushed)
        gevent.sleep(0.01)
        if NAME == "healthy_killed":
            gevent.spawn_later(0.02, flushed.set)
        one.kill()
        flushed.set()


healthy_killed = killed


def queues():
    """Two full queues, each emptied only by who fills the other one."""
    requests, replies = gevent.queue.Queue(1), gevent.queue.Queue(1)

    def ask():
        for number in range(3):
            requests.put(number)
        replies.get()

    def answer():
        for number in range(3):
            replies.put(number)
        requests.get()

    gevent.joinall([gevent.spawn(ask), gevent.spawn(answer)])


def blocked():
    """A call that knows nothing of the hub."""
    sleep = monkey.get_original("time", "sleep")
    gevent.joinall([gevent.spawn(tick), gevent.spawn_later(0.05, sleep, 1000)])


def plain_lock():
    """A lock of threads between greenlets: who waits for it blocks the hub."""
    lock = threading.Lock()

    def holder():
        with lock:
            gevent.sleep(0.05)

    def wanter():
        gevent.sleep(0.01)
        with lock:
            pass

    gevent.joinall([gevent.spawn(holder), gevent.spawn(wanter)])


def want(lock, seconds):
    with lock:
        gevent.sleep(seconds)


def plain_handed():
    """What two wait for is released: the hub tells the first of them once it runs again."""
    lock = gevent.lock.BoundedSemaphore(1)
    lock.acquire()
    for seconds in (1, 2):
        gevent.spawn(want, lock, seconds)
    gevent.sleep(0.05)
    lock.release()
    time.sleep(600)


def leave(lock):
    lock.acquire()


def want_lock(lock):
    with lock:
        pass


def left_locked():
    """A reentrant lock whose owner has ended."""
    lock = gevent.lock.RLock()
    gevent.spawn(leave, lock).join()
    gevent.spawn(want_lock, lock).join()


def compute():
    return 1


def fetch(work):
    return work.get()


def unstarted():
    """The result of a greenlet that nobody has started."""
    gevent.spawn(fetch, gevent.Greenlet(compute)).join()


def forgotten():
    """Takes items that nobody puts any more."""
    jobs = gevent.queue.Queue()

    def consume():
        while True:
            jobs.get()

    gevent.spawn(consume).join()


def offer(channel):
    channel.put(1)


def channel():
    """An item that nobody takes."""
    gevent.spawn(offer, gevent.queue.Channel()).join()


def nobody():
    """An event that nobody sets any more."""
    done = gevent.event.AsyncResult()

    def produce():
        raise ValueError("so it never sets the result")

    gevent.spawn(produce)
    gevent.spawn(done.get).join()


def convert():
    """Waits for a child, which ends with its standard input."""
    subprocess.Popen(["cat"], stdin=subprocess.PIPE).wait()


def child():
    gevent.spawn(convert).join()


def healthy_locks():
    """All take the locks in one order, all the time."""
    jobs, some = gevent.queue.Queue(3), gevent.lock.BoundedSemaphore(2)
    third = threading.RLock()

    def work():
        while True:
            with left:
                gevent.sleep(0.001)
                with right, third:
                    time.sleep(0.0005)
            with some:
                gevent.sleep(0.001)
            jobs.put(1)

    def drain():
        while True:
            jobs.get()

    gevent.joinall([gevent.spawn(work) for _ in range(8)] + [gevent.spawn(drain)])


def healthy_server():
    """Clients and a server, in one process."""

    def serve(connection, _):
        while True:
            data = connection.recv(100)
            if not data:
                return
            with left:
                gevent.sleep(0.0005)
            connection.sendall(data)

    server = StreamServer(("127.0.0.1", 0), serve)
    server.start()

    def client():
        while True:
            with socket.create_connection(("127.0.0.1", server.server_port)) as connection:
                for _ in range(10):
                    connection.sendall(b"x")
                    connection.recv(10)
            gevent.sleep(0.005)

    gevent.joinall([gevent.spawn(client) for _ in range(8)])


def healthy_pool():
    """A pool that is full most of the time, and threads that hand items on."""
    workers, items = gevent.pool.Pool(3), queue.Queue(2)

    def hand_on():
        while True:
            items.get()
            time.sleep(0.001)

    threading.Thread(target=hand_on, daemon=True).start()
    while True:
        workers.spawn(time.sleep, 0.003)
        items.put(1)


def idle():
    """Waits for somebody to connect."""
    StreamServer(("127.0.0.1", 0), lambda *_: None).serve_forever()


def load(block):
    """In a thread of the system."""
    time.sleep(0.001)
    return block


def compress(fed):
    """In a thread of the system."""
    fed.wait()


def feed(threads, fed):
    while True:
        threads.apply(load, (1,))
        fed.set()


def plain_threads():
    """The only thread of a pool waits for a greenlet, and that for a task in the queue of it."""
    threads, fed = gevent.get_hub().threadpool, threading.Event()
    threads.maxsize = 2 if NAME.startswith("plain_healthy") else 1
    while True:
        result = threads.spawn(compress, fed)
        gevent.sleep(OFTEN_S)
        feeding = gevent.spawn(feed, threads, fed)
        result.get()
        feeding.kill()
        fed.clear()


plain_healthy_threads = plain_threads


def many():
    """Two thousand that wait, and two of them for each other."""
    never = gevent.event.Event()
    waiting = [gevent.spawn(never.wait) for _ in range(2000)]
    gevent.sleep(0)
    ring()
    gevent.joinall(waiting)


def started():
    """Says so once the others stand where they should be."""
    gevent.sleep(0.3)
    ready()


if NAME not in ("idle", "plain_native_queue"):
    gevent.spawn(tick)
if NAME in BLOCK:
    ready()  # nothing runs once they are where they should be
else:
    gevent.spawn(started)
globals()[NAME]()
