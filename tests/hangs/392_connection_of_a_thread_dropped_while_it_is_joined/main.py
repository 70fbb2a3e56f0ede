import os
import signal
import threading

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
    with registry:
        begin.set()
        for thread in threads:
            thread.join()
        open_links.clear()


if __name__ == "__main__":
    begin = threading.Event()
    threads = [
        threading.Thread(target=sync_host, args=(host, begin), name="sync-" + host)
        for host in ("alpha", "beta")
    ]
    for thread in threads:
        thread.start()
    while len(open_links) < 2:
        pass
    print("MARK main pid=%d" % os.getpid())
    drop_hosts(threads, begin)
