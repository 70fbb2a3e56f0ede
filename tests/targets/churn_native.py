"""Healthy programs whose short-lived threads use the C library's own locks, through ctypes.

The first argument names the program. Every function is called without the GIL, and none is held
while Python code runs that could wait for one of them.
"""

import ctypes
import os
import threading

from churning import churn, main, pause

libc = ctypes.CDLL(None)
_SIZE = 256
"""Bytes for any object of pthreads, more than any of them needs on any processor."""


def make(initialize, *arguments):
    """A fresh object of the C library; a static one would do with zeros as well."""
    place = ctypes.create_string_buffer(_SIZE)
    assert initialize(place, *arguments) == 0
    return place


def mutexes():
    """Two mutexes, of which one is recursive."""
    plain = make(libc.pthread_mutex_init, None)
    kind = make(libc.pthread_mutexattr_init)
    libc.pthread_mutexattr_settype(kind, 1)  # PTHREAD_MUTEX_RECURSIVE
    recursive = make(libc.pthread_mutex_init, kind)

    def short(number):
        libc.pthread_mutex_lock(plain)
        libc.usleep(500)
        libc.pthread_mutex_unlock(plain)

    def nested(number):
        libc.pthread_mutex_lock(recursive)
        libc.pthread_mutex_lock(recursive)
        libc.pthread_mutex_lock(plain)
        libc.usleep(500)
        libc.pthread_mutex_unlock(plain)
        libc.pthread_mutex_unlock(recursive)
        libc.pthread_mutex_unlock(recursive)

    churn(short, nested, threads=6)


def rwlocks():
    """A read-write lock with readers and writers, and one that prefers writers."""
    kind = make(libc.pthread_rwlockattr_init)
    libc.pthread_rwlockattr_setkind_np(kind, 2)  # PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP
    locks = [make(libc.pthread_rwlock_init, None), make(libc.pthread_rwlock_init, kind)]

    def read(number):
        for lock in locks:
            libc.pthread_rwlock_rdlock(lock)
            libc.usleep(300)
            libc.pthread_rwlock_unlock(lock)

    def write(number):
        for lock in locks:
            libc.pthread_rwlock_wrlock(lock)
            libc.usleep(300)
            libc.pthread_rwlock_unlock(lock)

    churn(read, write, threads=6)


def conditions():
    """A ball that is thrown to and fro through a condition; each throw is another thread's."""
    mutex = make(libc.pthread_mutex_init, None)
    thrown = make(libc.pthread_cond_init, None)
    side = ctypes.c_int(0)

    def throw(number):
        libc.pthread_mutex_lock(mutex)
        while side.value != number:
            libc.pthread_cond_wait(thrown, mutex)
        side.value = 1 - number
        libc.pthread_cond_broadcast(thrown)
        libc.pthread_mutex_unlock(mutex)

    churn(throw, threads=2)


def semaphores():
    """Semaphores of the C library, passed round in a ring."""
    ring = [make(libc.sem_init, 0, int(place == 0)) for place in range(4)]

    def pass_on(number):
        libc.sem_wait(ring[number])
        libc.usleep(300)
        libc.sem_post(ring[(number + 1) % len(ring)])

    churn(pass_on, threads=4)


def joins():
    """Threads that C starts, which call back into Python and are joined by C."""
    called_back = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)

    def live(_):
        pause()

    callback = called_back(live)

    def start_and_join(number):
        thread = ctypes.c_ulong()
        libc.pthread_create(ctypes.byref(thread), None, callback, None)
        libc.pthread_join(thread, None)

    churn(start_and_join, threads=4)


def barriers():
    """Barriers of the C library, each used once."""

    def meet(number):
        barrier = make(libc.pthread_barrier_init, None, 2)
        other = threading.Thread(target=libc.pthread_barrier_wait, args=(barrier,), daemon=True)
        other.start()
        pause()
        libc.pthread_barrier_wait(barrier)
        other.join()
        libc.pthread_barrier_destroy(barrier)

    churn(meet, threads=4)


def stdio():
    """The lock of a C stream, which threads hold for some time on purpose."""
    libc.fopen.restype = ctypes.c_void_p
    stream = ctypes.c_void_p(libc.fopen(os.devnull.encode(), b"w"))

    def write(number):
        libc.fputs(b"a line of text\n", stream)
        libc.fflush(stream)

    def keep(number):
        libc.flockfile(stream)
        libc.usleep(500)
        libc.fputs(b"another\n", stream)
        libc.funlockfile(stream)

    churn(write, keep, keep)


if __name__ == "__main__":
    main(globals())
