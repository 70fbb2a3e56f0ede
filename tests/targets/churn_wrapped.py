"""Healthy programs whose short-lived threads take locks through wrappers of six usual shapes.

The first argument names the shape.
"""

import contextlib
import functools
import threading

from churning import churn, main, pause, work


def manager_class():
    """A context manager that takes a lock and a condition's lock, and counts."""

    class Guard:
        def __init__(self):
            self._lock, self._users = threading.Condition(threading.Lock()), 0

        def __enter__(self):
            self._lock.acquire()
            while self._users > 1:
                self._lock.wait(0.01)
            self._users += 1
            self._lock.release()
            return self

        def __exit__(self, *problem):
            self._lock.acquire()
            self._users -= 1
            self._lock.notify()
            self._lock.release()

    class Plain:
        def __init__(self):
            self._lock = threading.Lock()

        def __enter__(self):
            self._lock.acquire()

        def __exit__(self, *problem):
            self._lock.release()

    guard, plain = Guard(), Plain()

    def use_guard(number):
        with guard:
            pause()

    def use_plain(number):
        with plain:
            pause()

    churn(use_guard, use_plain)


def decorator():
    """A decorator that takes a lock around each call, some of them nested."""
    outer, inner = threading.Lock(), threading.RLock()

    def locked(lock):
        def decorate(function):
            @functools.wraps(function)
            def wrapper(*arguments):
                with lock:
                    return function(*arguments)

            return wrapper

        return decorate

    @locked(inner)
    def nested(number):
        pause()
        if number:
            nested(0)

    @locked(outer)
    def plain(number):
        nested(number % 2)

    churn(plain, nested)


def exit_stack():
    """Locks on an ``ExitStack``, some of which are given back before its end."""
    locks = [threading.Lock() for _ in range(3)]

    def stacked(number):
        with contextlib.ExitStack() as stack:
            for lock in locks:
                stack.enter_context(lock)
            pause()

    def called_back(number):
        with contextlib.ExitStack() as stack:
            locks[1].acquire()
            stack.callback(locks[1].release)
            pause()

    def given_up(number):
        with contextlib.ExitStack() as stack:
            stack.enter_context(locks[2])
            kept = stack.pop_all()
        pause()
        kept.close()

    churn(stacked, called_back, given_up)


def condition_subclass():
    """A subclass of ``Condition`` that counts how often it was entered, as a re-entrant gate."""

    class Gate(threading.Condition):
        def __init__(self):
            super().__init__(threading.RLock())
            self.open = True

        def pass_through(self):
            with self:
                while not self.open:
                    self.wait()
                self.open = False

        def leave(self):
            with self:
                self.open = True
                self.notify()

        def acquire(self, *arguments, **options):
            return self._lock.acquire(*arguments, **options)

    gate = Gate()

    def by_hand(number):
        gate.pass_through()
        pause()
        gate.leave()

    def just_lock(number):
        gate.acquire()
        try:
            work()
        finally:
            gate.release()

    churn(by_hand, just_lock)


class ReadWriteLock:
    """Many readers or one writer; writers go first."""

    def __init__(self):
        self._changed = threading.Condition(threading.Lock())
        self._readers = self._waiting = 0
        self._writing = False

    def acquire_read(self):
        with self._changed:
            while self._writing or self._waiting:
                self._changed.wait()
            self._readers += 1

    def release_read(self):
        with self._changed:
            self._readers -= 1
            self._changed.notify_all()

    def acquire_write(self):
        self._changed.acquire()
        self._waiting += 1
        while self._writing or self._readers:
            self._changed.wait()
        self._waiting -= 1
        self._writing = True
        self._changed.release()

    def release_write(self):
        self._changed.acquire()
        try:
            self._writing = False
            self._changed.notify_all()
        finally:
            self._changed.release()

    @contextlib.contextmanager
    def reading(self):
        self.acquire_read()
        try:
            yield
        finally:
            self.release_read()


def read_write():
    """A read-write lock in Python, by hand and as a generator's context manager."""
    lock = ReadWriteLock()

    def read(number):
        with lock.reading():
            pause()

    def write(number):
        lock.acquire_write()
        pause()
        lock.release_write()

    churn(read, write, read)


def read_write_mutex():
    """The textbook's: the first reader takes a plain lock, and the last one gives it back."""
    counting, whole = threading.Lock(), threading.Lock()
    readers = [0]

    def read(number):
        with counting:
            readers[0] += 1
            if readers[0] == 1:
                whole.acquire()
        pause()
        with counting:
            readers[0] -= 1
            if readers[0] == 0:
                whole.release()

    def write(number):
        with whole:
            pause()

    churn(read, write, read)


def timeout_loop():
    """``acquire(timeout=...)`` until it works, also of two locks with a step back between."""
    first, second = threading.Lock(), threading.Lock()

    def patient(number):
        while not first.acquire(timeout=0.002):
            work(30)
        try:
            pause()
        finally:
            first.release()

    def stepping_back(number):
        while True:
            with second:
                if first.acquire(timeout=0.001):
                    break
            pause(0.001)
        pause()
        first.release()

    def the_other_way(number):
        while True:
            with first:
                if second.acquire(False):
                    break
            pause(0.001)
        second.release()

    churn(patient, stepping_back, the_other_way)


if __name__ == "__main__":
    main(globals())
