"""C code that keeps the GIL waits to write-lock what a thread has locked for reading that waits for
the GIL: nothing records the reader."""

import ctypes
import threading

from ready import ready

lock = ctypes.create_string_buffer(64)  # pthread_rwlock_t, unlocked
releasing, keeping = ctypes.CDLL(None), ctypes.PyDLL(None)


def read(locked):
    releasing.pthread_rwlock_rdlock(lock)
    locked.set()
    while True:
        sum(range(1000))


def reload():
    ready()
    keeping.pthread_rwlock_wrlock(lock)


if __name__ == "__main__":
    locked = threading.Event()
    threading.Thread(target=read, args=(locked,), name="reader", daemon=True).start()
    locked.wait()
    reload()
