"""Healthy programs whose threads live for milliseconds around Python's own locks and queues.

The first argument names the program.
"""

import collections
import concurrent.futures
import logging
import queue
import signal
import threading

from churning import THREADS, churn, main, pause, start, until_alone, work


def locks():
    """Two locks, always in the same order, by ``with`` and by hand."""
    outer, inner = threading.Lock(), threading.Lock()

    def with_both(number):
        with outer:
            pause()
            with inner:
                work()

    def by_hand(number):
        inner.acquire()
        pause()
        inner.release()

    def tried(number):
        outer.acquire()
        try:
            inner.acquire()
            try:
                pause()
            finally:
                inner.release()
        finally:
            outer.release()

    churn(with_both, by_hand, tried)


def rlocks():
    """Reentrant locks, taken more than once."""
    outer, inner = threading.RLock(), threading.RLock()

    def deep(number, level=2):
        with outer, inner:
            pause()
            if level:
                deep(number, level - 1)

    def shallow(number):
        inner.acquire()
        pause()
        inner.release()

    churn(deep, shallow)


def handover():
    """Locks that one thread takes and another one gives back, when the first may have ended."""
    tokens = [threading.Lock() for _ in range(THREADS)]
    for token in tokens[1:]:
        token.acquire()

    def pass_on(number):
        tokens[number].acquire()
        pause()
        tokens[(number + 1) % THREADS].release()

    churn(pass_on)


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

    def hurry(number):
        with changed:
            changed.wait(0.001)

    # Those who produce are as many as those who consume, and have as many rounds in the long run.
    churn(produce, consume, hurry, produce, consume, hurry, threads=6)


def events():
    """An event per life, set by a thread that ends at once."""

    def expect(number):
        event = threading.Event()
        start(event.set)
        event.wait()

    def let_know(number):
        event = threading.Event()

        def later():
            pause()
            event.set()

        start(later)
        while not event.wait(0.001):
            pass

    churn(expect, let_know)


def semaphores():
    """Fewer slots than threads."""
    slots, few = threading.BoundedSemaphore(2), threading.Semaphore(1)

    def use(number):
        with slots:
            pause()

    def use_by_hand(number):
        slots.acquire()
        with few:
            pause()
        slots.release()

    churn(use, use_by_hand)


def barriers():
    """Three threads meet at a barrier of their own and end."""

    def meet(number):
        barrier = threading.Barrier(3)
        others = [start(barrier.wait) for _ in range(2)]
        pause()
        barrier.wait()
        for other in others:
            other.join()

    churn(meet, threads=3)


def queues():
    """Queues between threads that come and go; ``join`` waits for the last item."""
    bounded, simple = queue.Queue(2), queue.SimpleQueue()

    def put(number):
        bounded.put(number)
        simple.put(number)

    def get(number):
        bounded.get()
        pause()
        bounded.task_done()
        simple.get()

    def join(number):
        own = queue.LifoQueue()

        def drain():
            for _ in range(3):
                own.get()
                own.task_done()

        for item in range(3):
            own.put(item)
        start(drain)
        own.join()

    churn(put, get, join, put, get, threads=5)


def futures():
    """An executor per life, with nested tasks in another one."""
    shared = concurrent.futures.ThreadPoolExecutor(2, thread_name_prefix="shared")

    def submit(number):
        with concurrent.futures.ThreadPoolExecutor(2) as own:
            futures = [own.submit(pause) for _ in range(4)]
            concurrent.futures.wait(futures, return_when=concurrent.futures.FIRST_COMPLETED)
            own.submit(lambda: shared.submit(pause).result()).result()

    churn(submit, threads=3)


def joins():
    """Threads that start others and wait for their end, three deep."""

    def grow(level):
        children = [start(grow, level - 1) for _ in range(2 if level else 0)]
        pause()
        for child in children:
            child.join()

    def wait(number):
        thread = start(pause)
        while thread.is_alive():
            thread.join(0.0005)

    churn(lambda number: grow(2), wait, threads=4)


def timers():
    """Timers that go off, or are cancelled before."""

    def set_one(number):
        done = threading.Event()
        timer = threading.Timer(0.002, done.set)
        timer.start()
        done.wait()
        other = threading.Timer(30, done.set)
        other.daemon = True
        other.start()
        other.cancel()
        other.join()

    churn(set_one, threads=3)


def gil():
    """Threads that compute, more than the GIL can serve, for some milliseconds each."""

    def compute(number):
        work(20000)

    churn(compute, threads=4)


def logs():
    """Threads that log through two handlers, each of which has a lock."""
    log = logging.getLogger("churn")
    log.setLevel(logging.INFO)
    log.propagate = False
    for _ in range(2):
        log.addHandler(logging.StreamHandler(open("/dev/null", "w")))

    def write(number):
        log.info("thread %d is at %d", number, work(30))

    churn(write)


def finalizers():
    """Objects in cycles, whose finalizers take a lock that no thread holds meanwhile."""
    import gc

    lock = threading.Lock()

    class Thing:
        def __init__(self):
            self.itself = self

        def __del__(self):
            with lock:
                pause(0.001)

    def leave(number):
        for _ in range(3):
            Thing()
        gc.collect()

    churn(leave, threads=3)


def signals():
    """Signals that interrupt the main thread while it waits, again and again."""
    told = threading.Semaphore(0)
    signal.signal(signal.SIGUSR1, lambda number, frame: told.release())

    def tell(number):
        signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)
        told.acquire()

    churn(tell, threads=3)


def waiting_main():
    """The main thread waits for short threads, while another one watches the standard input."""
    start(until_alone)
    while True:
        threads = [start(pause) for _ in range(3)]
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    main(globals())
