import os
import signal
import threading
import time

signal.alarm(120)
local = threading.local()
registry = threading.Lock()
open_links = set()


class Link:
    def __init__(self, host):
        self.host = host
        with registry:
            open_links.add(host)

    def __del__(self):
        with registry:
            open_links.discard(self.host)


def sync_host(host, begin):
    local.link = Link(host)
    begin.wait()


def drop_hosts(threads, begin):
    begin.set()
    for thread in threads:
        thread.join()
    with registry:
        open_links.clear()


def sync_hosts():
    begin = threading.Event()
    threads = [
        threading.Thread(target=sync_host, args=(host, begin), name="sync-" + host)
        for host in ("alpha", "beta")
    ]
    for thread in threads:
        thread.start()
    time.sleep(0.05)
    drop_hosts(threads, begin)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        sync_hosts()
