import multiprocessing
import os
import signal
import tempfile
import time

import fasteners

signal.alarm(120)


def update_index(path):
    signal.alarm(120)
    lock = fasteners.InterProcessReaderWriterLock(path)
    while True:
        with lock.read_lock():
            time.sleep(0.02)
        with lock.write_lock():
            time.sleep(0.02)


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    path = os.path.join(tempfile.mkdtemp(), "index.lock")
    indexer = multiprocessing.Process(target=update_index, args=(path,), name="indexer")
    indexer.start()
    print("MARK main pid=%d" % os.getpid())
    update_index(path)
