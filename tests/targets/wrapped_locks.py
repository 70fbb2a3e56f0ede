"""Locks that programs wrap in usual ways, healthy and hung.

The first argument names the shape, the second one is ``healthy`` (threads queue for the lock and
get it, for ever) or ``hung`` (one thread takes the lock that it has). Beside it a thread goes on.
The third one is for how long a healthy thread keeps the lock, in milliseconds: where that is longer
than a capture takes, those who wait stand still in it.
"""

import contextlib
import functools
import sys
import threading
import time

from ready import ready

HUNG = sys.argv[2] == "hung"
HELD_S = float(sys.argv[3]) / 1000 if len(sys.argv) > 3 else 0.002
THREADS = 5


def work():
    """A moment with the lock, in which others come to wait for it."""
    sum(i * i for i in range(200))
    time.sleep(HELD_S)


def rest():
    """A moment without it."""
    sum(i for i in range(200))
    time.sleep(HELD_S / 4)


class Guard:
    """A context manager that takes its lock with acquire()."""

    def __init__(self):
        self.lock = threading.Lock()

    def __enter__(self):
        self.lock.acquire()
        return self

    def __exit__(self, *exc):
        self.lock.release()


class Manager:
    def __init__(self):
        self.guard = Guard()

    def play(self):
        with self.guard:
            work()
            if HUNG:
                self.again()
        rest()

    def again(self):
        with self.guard:
            work()


def synchronized(method):
    @functools.wraps(method)
    def inner(self, *args):
        self.lock.acquire()
        try:
            return method(self, *args)
        finally:
            self.lock.release()

    return inner


class Decorated:
    def __init__(self):
        self.lock = threading.Lock()

    def play(self):
        self.outer()
        rest()

    @synchronized
    def outer(self):
        work()
        if HUNG:
            self.inner()

    @synchronized
    def inner(self):
        work()


class Stacked:
    def __init__(self):
        self.lock = threading.Lock()
        self.other = threading.Lock()

    def play(self):
        with contextlib.ExitStack() as stack:
            stack.enter_context(self.lock)
            stack.enter_context(self.other)
            work()
            if HUNG:
                self.again()
        rest()

    def again(self):
        with contextlib.ExitStack() as stack:
            stack.enter_context(self.lock)
            work()


class Gate(threading.Condition):
    """A Condition of a plain lock, with a wait() of its own."""

    def __init__(self):
        super().__init__(threading.Lock())
        self.count = 0

    def wait(self, timeout=None):
        self.count += 1
        try:
            return super().wait(timeout)
        finally:
            self.count -= 1


class Subclass:
    def __init__(self):
        self.gate = Gate()

    def play(self):
        with self.gate:
            if HUNG:
                self.again()
            self.gate.notify_all()
            self.gate.wait(HELD_S)
            work()
        self.plainly()

    def plainly(self):
        self.gate.acquire()
        self.gate.notify()
        self.gate.wait(HELD_S)
        work()
        self.gate.release()

    def again(self):
        with self.gate:
            work()


class ReadWrite:
    """The recipe of the books: a writer keeps the condition's lock for as long as it writes."""

    def __init__(self):
        self.ready = threading.Condition(threading.Lock())
        self.readers = 0

    def acquire_read(self):
        self.ready.acquire()
        try:
            self.readers += 1
        finally:
            self.ready.release()

    def release_read(self):
        self.ready.acquire()
        try:
            self.readers -= 1
            if not self.readers:
                self.ready.notify_all()
        finally:
            self.ready.release()

    def acquire_write(self):
        self.ready.acquire()
        while self.readers > 0:
            self.ready.wait()

    def release_write(self):
        self.ready.release()


class ReadersAndWriters:
    def __init__(self):
        self.lock = ReadWrite()

    def play(self):
        if HUNG:
            self.upgrade()
        self.lock.acquire_read()
        work()
        self.lock.release_read()
        self.lock.acquire_write()
        try:
            work()
        finally:
            self.lock.release_write()
        rest()

    def upgrade(self):
        self.lock.acquire_write()
        try:
            self.lock.acquire_read()
        finally:
            self.lock.release_write()


class Timed:
    def __init__(self):
        self.lock = threading.Lock()

    def play(self):
        while not self.lock.acquire(timeout=0.02):
            rest()
        try:
            work()
            if HUNG:
                self.again()
        finally:
            self.lock.release()
        rest()

    def again(self):
        while not self.lock.acquire(timeout=60):
            rest()
        self.lock.release()


class Methods:
    """Taken in one method, given back in another one, and for a while in between."""

    def __init__(self):
        self.mutex = threading.Lock()

    def lock(self):
        self.mutex.acquire()

    def unlock(self):
        self.mutex.release()

    def play(self):
        self.mutex.acquire()
        work()
        if HUNG:
            self.lock()
        self.unlock()
        rest()
        self.lock()
        work()
        self.mutex.release()
        with self.mutex:
            self.pause()

    def pause(self):
        self.unlock()
        rest()
        self.lock()


class Handover:
    """A lock as a signal: who took it waits for another thread to give it back."""

    def play(self):
        if HUNG:
            self.alone()
        done = threading.Lock()
        done.acquire()
        threading.Thread(target=self.answer, args=(done,), daemon=True).start()
        done.acquire()
        done.release()
        self.call()

    def call(self):
        done = threading.Lock()
        done.acquire()
        threading.Thread(target=self.answer, args=(done,), daemon=True).start()
        self.wait(done)

    def wait(self, done):
        done.acquire()
        done.release()

    def answer(self, done):
        time.sleep(2 * HELD_S)
        done.release()

    def alone(self):
        done = threading.Lock()
        done.acquire()
        try:
            self.wait(done)
        finally:
            done.release()


class Bell:
    """A condition as somebody wrote it: wait() gives the lock back and takes it again."""

    def __init__(self, lock):
        self.lock = lock
        self.bell = threading.Event()

    def wait(self):
        self.lock.release()
        self.bell.wait(HELD_S)
        self.lock.acquire()


class OwnCondition:
    def __init__(self):
        self.lock = threading.Lock()
        self.bell = Bell(self.lock)

    def play(self):
        with self.lock:
            if HUNG:
                self.again()
            self.bell.wait()
            work()
        rest()

    def again(self):
        self.lock.acquire()
        self.lock.release()


class Unlocked:
    """Inside of it the lock is free."""

    def __init__(self, lock):
        self.lock = lock

    def __enter__(self):
        self.lock.release()

    def __exit__(self, *exc):
        self.lock.acquire()


class Inverse:
    def __init__(self):
        self.lock = threading.Lock()

    def play(self):
        with self.lock:
            if HUNG:
                self.again()
            with Unlocked(self.lock):
                rest()
            work()
        rest()

    def again(self):
        with self.lock:
            work()


class InTry:
    """acquire() inside of the try block, as many write it."""

    def __init__(self):
        self.lock = threading.Lock()

    def play(self):
        try:
            self.lock.acquire()
            work()
            if HUNG:
                self.again()
        finally:
            self.lock.release()
        rest()

    def again(self):
        try:
            self.lock.acquire()
            work()
        finally:
            self.lock.release()


class Session:
    """What it takes is kept from one method to the next; two functions lead to it."""

    def __init__(self):
        self.mutex = threading.Lock()
        self.count = 0

    def begin(self):
        self.take()
        self.count += 1

    def take(self):
        self.mutex.acquire()

    def end(self):
        self.count -= 1
        self.mutex.release()


class Helpers:
    def __init__(self):
        self.session = Session()

    def play(self):
        self.session.begin()
        work()
        if HUNG:
            self.session.begin()
        self.session.end()
        rest()
        self.session.begin()
        try:
            work()
            self.pause()
        finally:
            self.session.end()

    def pause(self):
        self.session.end()
        rest()
        self.session.begin()


class Sink:
    """Has acquire() and release() of its own, as handlers of logging do."""

    def __init__(self):
        self.lock = threading.Lock()

    def acquire(self):
        if self.lock:
            self.lock.acquire()

    def release(self):
        if self.lock:
            self.lock.release()

    def handle(self, write):
        self.acquire()
        try:
            work()
            write()
        finally:
            self.release()


class Sinks:
    def __init__(self):
        self.sink = Sink()

    def play(self):
        self.sink.handle(self.again if HUNG else self.pause)
        rest()

    def again(self):
        self.sink.handle(work)

    def pause(self):
        self.sink.release()
        rest()
        self.sink.acquire()


class Quota:
    """Units of a semaphore, taken and given back by functions; and some that others give."""

    def __init__(self):
        self.units = threading.Semaphore(1)
        self.turns = threading.Semaphore(0)

    def take(self):
        self.units.acquire()

    def give(self):
        self.units.release()

    def next_turn(self):
        self.turns.acquire()

    def play(self):
        self.take()
        work()
        if HUNG:
            self.take()
        self.give()
        rest()
        for _ in range(2):
            threading.Thread(target=self.other, daemon=True).start()
        self.next_turn()
        work()
        self.next_turn()

    def other(self):
        rest()
        self.turns.release()


class Turns:
    def __init__(self):
        self.free = threading.Lock()

    def take(self):
        self.free.acquire()

    def give(self):
        self.free.release()


class Turn:
    """A context manager that asks somebody else to take the lock."""

    def __init__(self, turns):
        self.turns = turns

    def __enter__(self):
        self.turns.take()

    def __exit__(self, *exc):
        self.turns.give()


class InTurn:
    def __init__(self):
        self.turns = Turns()

    def play(self):
        with Turn(self.turns):
            work()
            if HUNG:
                self.again()
        rest()

    def again(self):
        with Turn(self.turns):
            work()


class Pass:
    """Takes two locks, and gives the first one back where it does not get the second."""

    def __init__(self, gate, room):
        self.gate = gate
        self.room = room

    def acquire(self, timeout=-1):
        if not self.gate.acquire(timeout=timeout):
            return False
        if not self.room.acquire(timeout=timeout):
            self.gate.release()
            return False
        return True

    def release(self):
        self.room.release()
        self.gate.release()

    def __enter__(self):
        self.acquire()

    def __exit__(self, *exc):
        self.release()


class TwoLocks:
    def __init__(self):
        self.gate = threading.Lock()
        self.room = threading.Lock()

    def play(self):
        with Pass(self.gate, self.room):
            work()
            if HUNG:
                self.again()
        rest()

    def again(self):
        with Pass(self.gate, self.room):
            work()


SHAPES = {
    "two_locks": TwoLocks,
    "in_turn": InTurn,
    "helpers": Helpers,
    "sink": Sinks,
    "quota": Quota,
    "manager": Manager,
    "decorator": Decorated,
    "exit_stack": Stacked,
    "condition_subclass": Subclass,
    "read_write": ReadersAndWriters,
    "timed": Timed,
    "methods": Methods,
    "handover": Handover,
    "own_condition": OwnCondition,
    "inverse": Inverse,
    "in_try": InTry,
}


def main():
    shape = SHAPES[sys.argv[1]]()
    crowd = 1 if HUNG else THREADS

    def run():
        while True:
            shape.play()

    for number in range(crowd):
        threading.Thread(target=run, name="player-%d" % number, daemon=True).start()
    if HUNG:
        time.sleep(0.2)
    ready()
    while True:
        time.sleep(0.05)


if __name__ == "__main__":
    main()
