"""A thread reads with a rwlock that lets writers go first, and reads again within that, while
another thread waits to write."""

import ctypes
import threading

from ready import ready

PREFER_WRITERS = 2
native = ctypes.CDLL("libpthread.so.0")


class Gauge:
    def __init__(self):
        self.lock, kind = ctypes.create_string_buffer(64), ctypes.create_string_buffer(16)
        native.pthread_rwlockattr_init(kind)
        native.pthread_rwlockattr_setkind_np(kind, PREFER_WRITERS)
        native.pthread_rwlock_init(self.lock, kind)

    def fill(self):
        native.pthread_rwlock_wrlock(self.lock)  # writes

    def level(self):
        native.pthread_rwlock_rdlock(self.lock)  # reads again

    def report(self):
        native.pthread_rwlock_rdlock(self.lock)
        threading.Thread(target=self.fill, name="inlet", daemon=True).start()
        while native.pthread_rwlock_tryrdlock(self.lock) == 0:  # nobody waits to write yet
            native.pthread_rwlock_unlock(self.lock)
        ready()
        self.level()  # within the first


Gauge().report()
