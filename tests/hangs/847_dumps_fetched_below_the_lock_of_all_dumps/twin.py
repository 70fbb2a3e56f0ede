import os
import signal
import threading
import time

from dumps import DumpManager, start_backend

signal.alarm(120)


def watch_errors(manager):
    while True:
        manager.insert_dump("disk is full")
        time.sleep(0.3)


def show_count(manager):
    while True:
        print(manager.count(), "dumps")
        time.sleep(0.5)


if __name__ == "__main__":
    manager = DumpManager(start_backend(0.1))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for name, work in (("fetcher", manager.fetch_forever), ("watcher", None)):
        target = work or (lambda: watch_errors(manager))
        threading.Thread(target=target, name=name, daemon=True).start()
        time.sleep(0.5)
    show_count(manager)
