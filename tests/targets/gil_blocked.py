"""An extension blocks in read(2) without giving up the GIL; everybody queues behind it."""

import os
import threading

from ready import keeping, ready

raw = keeping()
reader, writer = os.pipe()
started = threading.Event()


def tick():
    started.set()
    while True:
        pass


def fetch():
    raw.read_pipe(reader)


if __name__ == "__main__":
    threading.Thread(target=tick, name="ticker", daemon=True).start()
    started.wait()
    ready()
    fetch()
