"""Two reentrant locks taken in opposite order, without ``with``."""

import threading

from ready import ready

index_lock, journal_lock = threading.RLock(), threading.RLock()
both_locked = threading.Barrier(3)


def compact():
    index_lock.acquire()
    both_locked.wait()
    journal_lock.acquire()


def append():
    journal_lock.acquire()
    both_locked.wait()
    index_lock.acquire()


if __name__ == "__main__":
    threads = [
        threading.Thread(target=compact, name="compactor"),
        threading.Thread(target=append, name="appender"),
    ]
    for thread in threads:
        thread.start()
    both_locked.wait()
    ready()
    for thread in threads:
        thread.join()
