"""loader_like.py MODE: a training loop waits for a batch of a DataLoader.

"lock": worker 1, whose turn it is, waits for a file lock that a third process has; "busy": it
computes; "timeout": as "lock", but the loader waits for so long only; "ring": it waits for a lock
that the loop has meanwhile; "ring_timeout": for so long only.
"""

import fcntl
import multiprocessing
import os
import sys
import tempfile
import time

from ready import HERE, ready

sys.path.insert(0, os.path.join(HERE, "engines", "site-packages"))

from torch.utils.data.dataloader import _MultiProcessingDataLoaderIter

mode = sys.argv[1]
place = tempfile.NamedTemporaryFile()
held, holds = os.pipe()
cache_lock = multiprocessing.Lock()


def make_nothing():
    while True:
        time.sleep(0.2)


def make():
    if mode == "busy":
        while True:
            sum(range(1000))
    if mode.startswith("ring"):
        with cache_lock:
            return
    with open(place.name, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)


if os.fork() == 0:
    with open(place.name, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        os.write(holds, b"x")
        time.sleep(100)
    os._exit(0)
os.read(held, 1)
limit = 90.0 if mode.endswith("timeout") else 0
with cache_lock:
    batches = _MultiProcessingDataLoaderIter([make_nothing, make], limit)
    ready()
    next(batches)
