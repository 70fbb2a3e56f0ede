from gevent import monkey

monkey.patch_all()

import os
import signal
import time

import gevent

signal.alarm(120)


class Settings:
    def __init__(self):
        self.name = "bakery"

    def read(self):
        return "%s %d" % (self.name, os.getpid())

    def reload(self):
        self.name = gevent.get_hub().threadpool.apply(self.read)


def announce():
    print("MARK worker pid=%d" % os.getpid(), flush=True)


def start_worker(settings):
    pid = os.fork()
    if pid == 0:
        signal.alarm(120)
        while True:
            time.sleep(0.2)
    return pid


if __name__ == "__main__":
    settings = Settings()
    settings.reload()
    os.register_at_fork(after_in_child=announce)
    os.register_at_fork(after_in_child=settings.reload)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    os.waitpid(start_worker(settings), 0)
