import os
import signal
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

from filelock import FileLock

signal.alarm(120)
lock_path = os.path.join(tempfile.mkdtemp(prefix="hang_"), "index.lock")


def refresh_index(names):
    with FileLock(lock_path):
        return sorted(names)


def publish(pool, names):
    with FileLock(lock_path):
        refreshed = pool.submit(refresh_index, names)
        time.sleep(0.05)
    return refreshed.result()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    with ThreadPoolExecutor(2, thread_name_prefix="indexer") as pool:
        while True:
            publish(pool, ["b", "a"])
