"""Who waits for what only a thread can end that has begun and has not reached the program's code
yet: ``beginners.py NAME``.

What is a moment otherwise lasts here: a third thread has the lock that is taken on the way there.
"""

import _thread
import concurrent.futures
import queue
import sys
import threading
import time

from ready import ready

ROOM = queue.Queue(1)
ROOM.put("first")
ASKED, KEPT = threading.Event(), threading.Event()


class Started(threading.Event):
    """Is set by a new thread before it enters itself among the living."""

    def set(self):
        ASKED.set()
        KEPT.wait()
        super().set()


class Trigger(threading.Thread):
    """A thread with a ``run`` of its own."""

    def __init__(self, function):
        super().__init__(daemon=True)
        self.function = function

    def run(self):
        self.function()


def drain(room):
    room.get()


def keep(lock):
    ASKED.wait()
    lock.acquire()
    KEPT.set()
    time.sleep(1_000)


def keeper(lock):
    threading.Thread(target=keep, args=(lock,), name="keeper", daemon=True).start()


def start(thread):
    keeper(threading._active_limbo_lock)
    thread._started = Started()
    thread.start()


def own():
    start(Trigger(ROOM.get))


def target():
    start(threading.Thread(target=ROOM.get, daemon=True))


def argument():
    start(threading.Thread(target=drain, args=(ROOM,), daemon=True))


def pool():
    executor = concurrent.futures.ThreadPoolExecutor(1)
    executor.submit(KEPT.wait)
    future = executor.submit(drain, ROOM)
    keeper(future._condition)
    ASKED.set()
    KEPT.wait()


def announce():
    time.sleep(0.1)
    ready()


def main():
    globals()[sys.argv[1]]()
    _thread.start_new_thread(announce, ())  # takes none of the locks above
    ROOM.put("second")  # waits
    ROOM.get()  # this thread, too, takes from it: afterwards


main()
