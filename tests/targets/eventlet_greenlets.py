"""Greenlets of eventlet that hang, and such as do not: ``eventlet_greenlets.py NAME``."""

# ruff: noqa: E402  eventlet patches before anything else is imported
import sys
import warnings

warnings.simplefilter("ignore")

import eventlet

eventlet.monkey_patch()

import threading
import time

import eventlet.event
import eventlet.patcher
import eventlet.queue
import eventlet.semaphore
import eventlet.tpool
from ready import ready

NAME = sys.argv[1]
BLOCK = ("blocked",)
"""What stops the hub."""
ALONE = ("quiet", "in_thread")
"""Beside which nothing ticks."""
plain_threads = eventlet.patcher.original("threading")
"""With locks that do not know of the hub."""


def tick():
    while True:
        eventlet.sleep(0.02)


def opposite(one, other):
    """Two greenlets that take the same locks in opposite orders."""
    gate = threading.Barrier(2)

    def take(first, second):
        with first:
            gate.wait()
            with second:
                pass

    move = eventlet.spawn(take, one, other)
    back = eventlet.spawn(take, other, one)
    move.wait()
    back.wait()


def ring():
    left, right = threading.Lock(), threading.Lock()
    opposite(left, right)


def reentrant():
    left, right = threading.RLock(), threading.RLock()
    opposite(left, right)


def transfer(first, second, often):
    while True:
        first.acquire()
        eventlet.sleep(0.01)
        second.acquire()
        second.release()
        first.release()
        if not often:
            return


def semaphores(back=True, often=False):
    """Taken without `with`, so that nothing but the code shows who has them."""
    left, right = eventlet.semaphore.Semaphore(1), eventlet.semaphore.Semaphore(1)
    one = eventlet.spawn(transfer, left, right, often)
    eventlet.spawn(transfer, *((right, left) if back else (left, right)), often)
    one.wait()


def in_order():
    semaphores(back=False, often=True)


def queues():
    """Two full queues, each emptied only by who fills the other one."""
    requests, replies = eventlet.queue.Queue(1), eventlet.queue.Queue(1)

    def ask():
        for number in range(3):
            requests.put(number)
        replies.get()

    def answer():
        for number in range(3):
            replies.put(number)
        requests.get()

    eventlet.spawn(answer)
    eventlet.spawn(ask).wait()


def pools(size=1):
    """Members of two pools, each of which waits for a place of the other one."""
    downloads, parsers = eventlet.GreenPool(size), eventlet.GreenPool(size)

    def download(depth):
        eventlet.sleep(0.01)
        parsers.spawn(parse, depth)
        parsers.spawn(parse, depth)

    def parse(depth):
        eventlet.sleep(0.01)
        if depth:
            downloads.spawn(download, depth - 1)

    while True:
        downloads.spawn(download, 3 if size == 1 else 1)
        downloads.waitall()


def roomy_pools():
    pools(size=50)


def close_books(ledger, closed):
    with ledger:
        closed.wait()  # wants the event


def book(ledger, closed):
    with ledger:  # wants the lock
        pass
    closed.set()


def across(taken=True):
    """A thread has a lock, and waits for a greenlet whose hub waits for that lock."""
    ledger, closed = plain_threads.Lock(), plain_threads.Event()
    closing = eventlet.spawn(eventlet.tpool.execute, close_books, ledger, closed)
    eventlet.sleep(0.1)
    if not taken:
        closed.set()
    eventlet.spawn(book, ledger, closed).wait()
    closing.wait()


def come_and_go():
    """A thread after the other that does nothing for it."""

    def begin():
        while True:
            one = plain_threads.Thread(target=rest)
            one.start()
            one.join()

    plain_threads.Thread(target=begin).start()


def rest():
    eventlet.patcher.original("time").sleep(0.05)


def across_beside_others():
    """The same where other threads come and go."""
    come_and_go()
    across()


def threads_in_turn():
    """The same, healthy, again and again."""
    while True:
        across(taken=False)


def in_turn_beside_others():
    """That as well where other threads come and go."""
    come_and_go()
    threads_in_turn()


def load(loaded):
    loaded.wait()


def in_thread():
    """A thread waits for what nobody sets, a greenlet for the thread, and nothing ticks."""
    eventlet.spawn(eventlet.tpool.execute, load, plain_threads.Event()).wait()


def want(event):
    event.wait()


def quiet():
    """An event that nobody sends, and nothing ticks."""
    eventlet.spawn(want, eventlet.event.Event()).wait()


def blocked():
    """A call that knows nothing of the hub."""
    sleep = eventlet.patcher.original("time").sleep
    eventlet.spawn_after(0.05, sleep, 1000).wait()


def nobody():
    """An event that nobody sends."""
    eventlet.spawn(eventlet.event.Event().wait).wait()


def healthy():
    """All take the locks in one order, all the time."""
    left, right = threading.Lock(), threading.RLock()
    jobs = eventlet.queue.Queue(2)

    def work():
        while True:
            with left:
                time.sleep(0.001)
                with right:
                    eventlet.sleep(0.0005)
            jobs.put(1)

    for _ in range(6):
        eventlet.spawn(work)
    while True:
        jobs.get()


def idle():
    """Waits for somebody to connect."""
    eventlet.serve(eventlet.listen(("127.0.0.1", 0)), lambda *_: None)


def accepts():
    """The same without a function of the library that serves."""
    listener = eventlet.listen(("127.0.0.1", 0))
    while True:
        listener.accept()


def started():
    """Says so once the others stand where they should be."""
    eventlet.sleep(0.3)
    ready()


if NAME not in ("idle", "accepts", *ALONE):
    eventlet.spawn(tick)
if NAME.startswith("across"):
    plain_threads.Timer(1.0, ready).start()
elif NAME in BLOCK:
    ready()  # nothing runs once they are where they should be
else:
    eventlet.spawn(started)
globals()[NAME]()
