import os
import signal
import threading
import time

from cachetools import LRUCache, cached

signal.alarm(120)
sessions_lock = threading.Lock()
closed_lock = threading.Lock()
closed = {"sessions": 0}


class Session:
    def __init__(self, user):
        self.user = user

    def __del__(self):
        with closed_lock:
            closed["sessions"] += 1


@cached(LRUCache(maxsize=2), lock=sessions_lock)
def open_session(user):
    return Session(user)


def serve_users(users):
    for user in users:
        open_session(user)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        serve_users(["alba", "bruno", "carla"])
        time.sleep(0.01)
