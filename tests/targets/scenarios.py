"""Kinds of waits, all at once: ``scenarios.py NAME...``.

Each function brings a thread ``holder NAME`` to hold something, and then blocks it for good, while
``waiter NAME`` waits for what it holds. The lines are marked ``taken`` and ``waits``.
"""

import contextlib
import io
import multiprocessing
import os
import queue
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import wait as wait_for_all

from ready import ready

forever = threading.Event()
taken = threading.Event()
playing = []
"""The names of the scenarios that have begun."""


def stay():
    """Hold on to everything."""
    taken.set()
    forever.wait()


def started(target, role):
    """A thread that plays a role in the scenario that called whoever calls this."""
    name = "%s %s" % (role, playing[-1])
    thread = threading.Thread(target=target, name=name, daemon=True)
    thread.start()
    return thread


def pool():
    """An executor whose only worker is the holder."""
    return ThreadPoolExecutor(1, thread_name_prefix="holder " + playing[-1])


def play(hold, wait):
    """Run the two parts, the second when the first has what it wants."""
    started(hold, "holder")
    taken.wait()
    started(wait, "waiter")


def lock_with():
    plain_lock = threading.Lock()

    def hold():
        with plain_lock:  # taken lock_with
            stay()

    def wait():
        with plain_lock:  # waits lock_with
            pass

    play(hold, wait)


def lock_below():
    deep_lock, other_lock = threading.Lock(), threading.Lock()

    def inner():
        with other_lock:
            stay()

    def hold():
        with deep_lock:  # taken lock_below
            with contextlib.suppress(ValueError):
                for _ in range(3):
                    inner()

    def wait():
        deep_lock.acquire()  # waits lock_below

    play(hold, wait)


def rlock_with():
    owned_lock = threading.RLock()

    def hold():
        with owned_lock:  # taken rlock_with
            with owned_lock:
                stay()

    def wait():
        with owned_lock:  # waits rlock_with
            pass

    play(hold, wait)


def rlock_acquire():
    owned_lock = threading.RLock()

    def hold():
        owned_lock.acquire()
        stay()

    def wait():
        owned_lock.acquire()  # waits rlock_acquire

    play(hold, wait)


def condition_with():
    changed = threading.Condition(threading.Lock())

    def hold():
        with changed:  # taken condition_with
            stay()

    def wait():
        with changed:  # waits condition_with
            pass

    play(hold, wait)


def condition_wait():
    changed = threading.Condition()

    def hold():
        with changed:
            taken.set()
            changed.wait()

    def wait():
        with changed:
            changed.wait()  # waits condition_wait

    play(hold, wait)


def semaphore_with():
    slots = threading.Semaphore(1)

    def hold():
        with slots:  # taken semaphore_with
            stay()

    def wait():
        with slots:  # waits semaphore_with
            pass

    play(hold, wait)


def bounded_semaphore_with():
    slots = threading.BoundedSemaphore(1)

    def hold():
        with slots:  # taken bounded_semaphore_with
            stay()

    def wait():
        slots.acquire()  # waits bounded_semaphore_with

    play(hold, wait)


def event_wait():
    started = threading.Event()

    def wait():
        started.wait()  # waits event_wait

    play(stay, wait)


def barrier_wait():
    together = threading.Barrier(2)

    def wait():
        together.wait()  # waits barrier_wait

    play(stay, wait)


def futures_wait():
    executor = pool()
    tasks = [executor.submit(stay) for _ in range(2)]
    taken.wait()

    def wait():
        wait_for_all(tasks)  # waits futures_wait

    started(wait, "waiter")


def queue_get():
    jobs = queue.Queue()

    def wait():
        jobs.get()  # waits queue_get

    play(stay, wait)


def queue_put():
    jobs = queue.LifoQueue(maxsize=1)
    jobs.put(1)

    def wait():
        jobs.put(2)  # waits queue_put

    play(stay, wait)


def queue_join():
    jobs = queue.PriorityQueue()
    jobs.put(1)

    def wait():
        jobs.join()  # waits queue_join

    play(stay, wait)


def simple_queue_get():
    jobs = queue.SimpleQueue()

    def wait():
        jobs.get()  # waits simple_queue_get

    play(stay, wait)


def thread_join():
    holder = started(stay, "holder")
    taken.wait()

    def wait():
        holder.join()  # waits thread_join

    started(wait, "waiter")


def future_running():
    executor = pool()
    result = executor.submit(stay)
    taken.wait()

    def wait():
        result.result()  # waits future_running

    started(wait, "waiter")


def future_waited_for():
    executor = pool()
    result = executor.submit(stay)
    taken.wait()

    def wait():
        wait_for_all([result])  # waits future_waited_for

    started(wait, "waiter")


def future_queued():
    executor = pool()
    executor.submit(stay)
    taken.wait()
    result = executor.submit(len, "abc")

    def wait():
        result.result()  # waits future_queued

    started(wait, "waiter")


def import_lock():
    folder = tempfile.mkdtemp(prefix="hangtui-target-")
    path = os.path.join(folder, "slow_plugin.py")
    with open(path, "w") as stream:
        stream.write("from __main__ import stay\nstay()\n")
    sys.path.insert(0, folder)

    def hold():
        import slow_plugin  # noqa: F401

    def wait():
        import slow_plugin  # noqa: F401  # waits import_lock

    play(hold, wait)


def multiprocessing_lock():
    shared_lock = multiprocessing.get_context("fork").Lock()

    def hold():
        with shared_lock:  # taken multiprocessing_lock
            stay()

    def wait():
        with shared_lock:  # waits multiprocessing_lock
            pass

    play(hold, wait)


def lock_of_another_process():
    """The holder is another process."""
    context = multiprocessing.get_context("fork")
    shared_lock, held = context.Lock(), context.Event()

    def hold():
        threading.current_thread().name = "holder " + playing[-1]
        with shared_lock:  # taken lock_of_another_process
            held.set()
            forever.wait()

    def wait():
        with shared_lock:  # waits lock_of_another_process
            pass

    context.Process(target=hold, daemon=True).start()
    held.wait()
    started(wait, "waiter")


def rlock_of_another_process():
    context = multiprocessing.get_context("fork")
    shared_lock, held = context.RLock(), context.Event()

    def hold():
        threading.current_thread().name = "holder " + playing[-1]
        with shared_lock:  # taken rlock_of_another_process
            held.set()
            forever.wait()

    def wait():
        shared_lock.acquire()  # waits rlock_of_another_process

    context.Process(target=hold, daemon=True).start()
    held.wait()
    started(wait, "waiter")


def multiprocessing_semaphore():
    """Who takes units and who gives them back need not be the same."""
    slots = multiprocessing.get_context("fork").Semaphore(1)

    def hold():
        slots.acquire()
        stay()

    def wait():
        slots.acquire()  # waits multiprocessing_semaphore

    play(hold, wait)


def multiprocessing_queue_put():
    """A full queue: its producer itself has taken all the room."""
    jobs = multiprocessing.get_context("fork").Queue(1)
    jobs.put(1)

    def wait():
        jobs.put(2)  # waits multiprocessing_queue_put

    play(stay, wait)


def buffered_file():
    reader, _ = os.pipe()
    stream = io.open(reader, "rb")

    def hold():
        taken.set()
        stream.read(1)

    def wait():
        stream.read(1)  # waits buffered_file

    play(hold, wait)


def contextmanager_with():
    plain_lock = threading.Lock()

    @contextlib.contextmanager
    def transaction():
        with plain_lock:
            yield

    def hold():
        with transaction():  # taken contextmanager_with
            stay()

    def wait():
        with plain_lock:  # waits contextmanager_with
            pass

    play(hold, wait)


def contextmanager_try():
    plain_lock = threading.Lock()

    @contextlib.contextmanager
    def transaction():
        plain_lock.acquire()
        try:
            yield
        finally:
            plain_lock.release()

    def hold():
        with transaction():  # taken contextmanager_try
            stay()

    def wait():
        with plain_lock:  # waits contextmanager_try
            pass

    play(hold, wait)


def exit_stack():
    plain_lock = threading.Lock()

    def hold():
        with contextlib.ExitStack() as stack:  # taken exit_stack
            stack.enter_context(plain_lock)
            stay()

    def wait():
        with plain_lock:  # waits exit_stack
            pass

    play(hold, wait)


class Guard:
    """A user's own class around a lock."""

    def __init__(self):
        self.lock = threading.Lock()

    def __enter__(self):
        self.lock.acquire()
        return self

    def __exit__(self, *_):
        self.lock.release()


def user_class():
    guard = Guard()

    def hold():
        with guard:  # taken user_class
            stay()

    def wait():
        with guard.lock:  # waits user_class
            pass

    play(hold, wait)


class Session:
    """One whose lock a method takes that entering calls, and another one gives back."""

    def __init__(self):
        self.lock = threading.Lock()

    def __enter__(self):
        self.open()
        return self

    def __exit__(self, *_):
        self.close()

    def open(self):
        self.lock.acquire()

    def close(self):
        self.lock.release()


def opened_class():
    session = Session()

    def hold():
        with session:  # taken opened_class
            stay()

    def wait():
        with session.lock:  # waits opened_class
            pass

    play(hold, wait)


def acquire_try():
    plain_lock = threading.Lock()

    def hold():
        plain_lock.acquire()  # taken acquire_try
        try:
            stay()
        finally:
            plain_lock.release()

    def wait():
        plain_lock.acquire()  # waits acquire_try

    play(hold, wait)


def acquire_plain():
    plain_lock = threading.Lock()

    def hold():
        plain_lock.acquire()  # taken acquire_plain
        stay()
        plain_lock.release()

    def wait():
        plain_lock.acquire()  # waits acquire_plain

    play(hold, wait)


def acquire_in_branch():
    """The acquire() in the source never ran: whoever holds the lock cannot be told."""
    plain_lock = threading.Lock()
    taker = threading.Thread(target=plain_lock.acquire)
    taker.start()
    taker.join()

    def hold(really=False):
        if really:
            plain_lock.acquire()
        stay()

    def wait():
        plain_lock.acquire()  # waits acquire_in_branch

    play(hold, wait)


def released_in_body():
    """The with block gave its lock back early; somebody else has it."""
    plain_lock = threading.Lock()

    def hold():
        with plain_lock:  # taken released_in_body
            plain_lock.release()
            taker = threading.Thread(target=plain_lock.acquire, daemon=True)
            taker.start()
            taker.join()
            stay()

    def wait():
        plain_lock.acquire()  # waits released_in_body

    play(hold, wait)


if __name__ == "__main__":
    for scenario in sys.argv[1:]:
        playing.append(scenario)
        taken.clear()
        globals()[scenario]()
    ready()
    forever.wait()
