"""Healthy programs of many threads, each busy in its own way: nothing is wrong in any of them.

The first argument names the program.
"""

import collections
import concurrent.futures
import contextlib
import hashlib
import importlib
import itertools
import logging
import queue
import sys
import threading

from ready import ready

THREADS = 6


def crowd(*plays):
    """Run the functions in turns on THREADS threads, for ever; each gets its number."""
    started = threading.Barrier(THREADS + 1)

    def run(play, number):
        started.wait()
        while True:
            play(number)

    for number in range(THREADS):
        play = plays[number % len(plays)]
        name = "%s-%d" % (play.__name__, number)
        threading.Thread(target=run, args=(play, number), name=name, daemon=True).start()
    started.wait()
    ready()
    threading.Event().wait()


def work(size=300):
    return sum(i * i for i in range(size))


def contention_with():
    """Two locks, always taken in the same order."""
    outer, inner = threading.Lock(), threading.Lock()

    def take_both(number):
        with outer:
            work()
            with inner:
                work()

    def take_inner(number):
        with inner:
            work()

    crowd(take_both, take_inner)


def contention_acquire():
    """Explicit acquire() and release(), also with try/finally, and with a timeout."""
    first, second = threading.Lock(), threading.Lock()

    def plainly(number):
        first.acquire()
        work()
        first.release()

    def finally_(number):
        first.acquire()
        try:
            second.acquire()
            try:
                work()
            finally:
                second.release()
        finally:
            first.release()

    def patiently(number):
        if second.acquire(timeout=0.01):
            try:
                work()
            finally:
                second.release()

    crowd(plainly, finally_, patiently)


def lock_handover():
    """Locks that one thread takes and another releases, which is what signals are made of."""
    tokens = [threading.Lock() for _ in range(THREADS)]
    for token in tokens[1:]:
        token.acquire()

    def pass_on(number):
        tokens[number].acquire()
        work()
        tokens[(number + 1) % THREADS].release()

    crowd(pass_on)


def managers():
    """Locks in context managers, exit stacks, generators and classes."""
    locks = [threading.Lock() for _ in range(3)]

    class Guard:
        def __init__(self, lock):
            self.lock = lock

        def __enter__(self):
            self.lock.acquire()

        def __exit__(self, *problem):
            self.lock.release()

    @contextlib.contextmanager
    def guarded(lock):
        with lock:
            yield

    @contextlib.contextmanager
    def tried(lock):
        lock.acquire()
        try:
            yield
        finally:
            lock.release()

    def nested(number):
        with Guard(locks[0]), guarded(locks[1]), tried(locks[2]):
            work()

    def stacked(number):
        with contextlib.ExitStack() as stack:
            for lock in locks:
                stack.enter_context(lock)
            work()

    def released_early(number):
        with locks[1]:
            locks[1].release()
            try:
                with locks[0]:
                    work()
            finally:
                locks[1].acquire()

    crowd(nested, stacked, released_early) if "early" in sys.argv else crowd(nested, stacked)


def rlock_nesting():
    """Reentrant locks, taken in the same order and more than once."""
    outer, inner = threading.RLock(), threading.RLock()

    def deep(number, level=3):
        with outer:
            work(50)
            with inner:
                if level:
                    deep(number, level - 1)

    def shallow(number):
        inner.acquire()
        work()
        inner.release()

    crowd(deep, shallow)


def semaphore_pool():
    """Fewer connections than threads that use them."""
    slots = threading.BoundedSemaphore(2)
    connections, change = [1, 2], threading.Lock()

    def use(number):
        with slots:
            with change:
                connection = connections.pop()
            work(1000)
            with change:
                connections.append(connection)

    crowd(use)


def conditions():
    """Producers and consumers over one condition."""
    items, changed = collections.deque(), threading.Condition()

    def produce(number):
        with changed:
            while len(items) > 3:
                changed.wait()
            items.append(number)
            changed.notify_all()

    def consume(number):
        with changed:
            changed.wait_for(lambda: items)
            items.popleft()
            changed.notify_all()
        work()

    crowd(produce, consume)


def barriers_and_events():
    """Threads that meet at a barrier, and one that wakes the others by an event."""
    meeting, go = threading.Barrier(THREADS), threading.Event()

    def take_part(number):
        if meeting.wait() == 0:
            go.set()
        go.wait()
        work()
        if meeting.wait() == 0:
            go.clear()
        meeting.wait()

    crowd(take_part)


def queue_pipeline():
    """Three stages, each with its queue."""
    stages = [queue.Queue(3) for _ in range(3)]

    def feed(number):
        stages[0].put(number)

    def transform(number):
        item = stages[number % 2].get()
        work()
        stages[number % 2 + 1].put(item)
        stages[number % 2].task_done()

    def drain(number):
        stages[2].get()
        stages[2].task_done()

    crowd(feed, transform, transform, drain, transform, transform)


def nested_submits():
    """Tasks of one executor that wait for tasks of another."""
    outer = concurrent.futures.ThreadPoolExecutor(3, thread_name_prefix="outer")
    inner = concurrent.futures.ThreadPoolExecutor(3, thread_name_prefix="inner")

    def task(number):
        return sum(future.result() for future in [inner.submit(work) for _ in range(3)])

    def submit(number):
        list(outer.map(task, range(5)))

    crowd(submit)


def short_threads():
    """Threads that start, work and are joined."""
    lock = threading.Lock()

    def locked_work():
        with lock:
            work()

    def start_and_join(number):
        threads = [threading.Thread(target=locked_work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    crowd(start_and_join)


def logs():
    """Many threads log through two handlers, which have locks of their own."""
    log = logging.getLogger("fleet")
    log.setLevel(logging.INFO)
    log.propagate = False
    formatter = logging.Formatter("%(asctime)s %(threadName)s %(message)s")
    for _ in range(2):
        handler = logging.StreamHandler(open("/dev/null", "w"))
        handler.setFormatter(formatter)
        log.addHandler(handler)

    def write(number):
        log.info("thread %d is at %d", number, work(30))

    crowd(write)


def native_work():
    """Hashing and compressing, which release the GIL."""
    import zlib  # not every build has it

    data = bytes(range(256)) * 4000

    def compress(number):
        zlib.compress(data, 1)

    def digest(number):
        hashlib.sha256(data).digest()

    crowd(compress, digest)


def imports():
    """Threads that import the same modules again and again."""
    names = ("colorsys", "sched", "netrc", "quopri")
    counter = itertools.count()

    def load(number):
        name = names[next(counter) % len(names)]
        sys.modules.pop(name, None)
        with contextlib.suppress(KeyError, ImportError):  # another thread has removed it again
            importlib.import_module(name)

    crowd(load)


def files():
    """Threads that write to one buffered file."""
    stream = open("/dev/null", "wb", buffering=4096)

    def write(number):
        stream.write(b"x" * 3000)
        stream.flush()

    crowd(write)


if __name__ == "__main__":
    globals()[sys.argv[1]]()
