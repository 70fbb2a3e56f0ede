"""Hangs with the standard library alone, for interpreters of other processors and C libraries.

other_machines.py SCENARIO     prints "ready" and what the test needs, as JSON, once it hangs
"""

import ctypes
import json
import sys
import threading
import time

LIBC = ctypes.CDLL(None)
WITH_GIL = ctypes.PyDLL(None)


def start(name, function):
    thread = threading.Thread(target=function, name=name, daemon=True)
    thread.start()
    return thread


def ready(**facts):
    print("ready", json.dumps(facts), flush=True)


def stay():
    threading.Event().wait()


def ring():
    first, second = threading.Lock(), threading.Lock()
    both = threading.Barrier(3)

    def forth():
        with first:
            both.wait()
            with second:
                pass

    def back():
        with second:
            both.wait()
            with first:
                pass

    start("forth", forth)
    start("back", back)
    both.wait()
    ready()
    stay()


def gil():
    def waits():
        while True:
            time.sleep(0.001)

    def holds():
        ready()
        WITH_GIL.sleep(1000)

    start("waits", waits)
    start("holds", holds)
    stay()


def healthy():
    ready()
    stay()


def locks():
    """A mutex of each kind, a rwlock, and a join; the main thread holds what is held."""
    places = {}
    for kind, name in ((0, "normal"), (1, "recursive"), (2, "checking")):
        attributes, mutex = ctypes.create_string_buffer(64), ctypes.create_string_buffer(64)
        LIBC.pthread_mutexattr_init(attributes)
        LIBC.pthread_mutexattr_settype(attributes, kind)
        LIBC.pthread_mutex_init(mutex, attributes)
        LIBC.pthread_mutex_lock(mutex)
        places[name] = mutex
        start(name, lambda mutex=mutex: LIBC.pthread_mutex_lock(mutex))
    rwlock = ctypes.create_string_buffer(64)
    LIBC.pthread_rwlock_init(rwlock, None)
    LIBC.pthread_rwlock_wrlock(rwlock)
    places["rwlock"] = rwlock
    # Called by C code, as it mostly is, if the test has compiled some.
    read = ctypes.CDLL(sys.argv[2]).take_to_read if sys.argv[2:] else LIBC.pthread_rwlock_rdlock
    start("rwlock", lambda: read(rwlock))

    endless = ctypes.c_ulong()
    entry = ctypes.cast(LIBC.pause, ctypes.c_void_p)
    LIBC.pthread_create(ctypes.byref(endless), None, entry, None)
    start("join", lambda: LIBC.pthread_join(endless, None))
    addresses = {name: ctypes.addressof(lock) for name, lock in places.items()}
    ready(main=threading.get_native_id(), endless=endless.value, **addresses)
    stay()


def spin():
    def spins():
        number = 0
        while True:
            number += 1

    start("spins", spins)
    ready()
    stay()


def crash():
    ctypes.string_at(0x18, 4)


SCENARIOS = (spin, crash, ring, gil, healthy, locks)
{function.__name__: function for function in SCENARIOS}[sys.argv[1]]()
