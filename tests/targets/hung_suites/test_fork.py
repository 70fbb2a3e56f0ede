"""A lock that another thread holds is copied by fork(), and stays locked in the child."""

import os
import threading

lock = threading.Lock()


def test_before():
    pass


def test_report():
    taken, done = threading.Event(), threading.Event()

    def keep():
        with lock:
            taken.set()
            done.wait()

    threading.Thread(target=keep, name="keeper", daemon=True).start()
    taken.wait()
    child = os.fork()
    if child == 0:
        with lock:
            os._exit(0)
    done.set()
    os.waitpid(child, 0)


def test_after():
    pass
