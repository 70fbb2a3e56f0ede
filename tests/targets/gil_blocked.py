"""An extension blocks in read(2) without giving up the GIL; everybody queues behind it.

Another process could write to the pipe, so it is slow and no deadlock.
"""

import os
import subprocess
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
    # It ends with this program, whose end of its input is closed then.
    other = subprocess.Popen(["cat"], stdin=subprocess.PIPE, pass_fds=[writer])
    os.close(writer)
    ready()
    fetch()
