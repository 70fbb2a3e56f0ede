"""C code that keeps the GIL waits for a lock that was taken for reading by a thread which waits for
the GIL: no signal handler of Python's runs any more."""

import ctypes
import threading

lock = ctypes.create_string_buffer(64)  # pthread_rwlock_t, unlocked
releasing, keeping = ctypes.CDLL(None), ctypes.PyDLL(None)


def test_before():
    pass


def test_reload():
    reads = threading.Event()

    def read():
        releasing.pthread_rwlock_rdlock(lock)
        reads.set()
        while True:
            sum(range(1000))

    threading.Thread(target=read, name="reader", daemon=True).start()
    reads.wait()
    keeping.pthread_rwlock_wrlock(lock)


def test_after():
    pass
