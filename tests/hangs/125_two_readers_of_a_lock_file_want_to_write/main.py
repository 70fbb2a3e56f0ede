import multiprocessing
import os
import signal
import tempfile

import fasteners

signal.alarm(120)


def update_index(path, barrier):
    signal.alarm(120)
    reading = fasteners.InterProcessReaderWriterLock(path)
    writing = fasteners.InterProcessReaderWriterLock(path)
    with reading.read_lock():
        barrier.wait()
        with writing.write_lock():
            print("index written")


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    path = os.path.join(tempfile.mkdtemp(), "index.lock")
    barrier = multiprocessing.Barrier(2)
    indexer = multiprocessing.Process(target=update_index, args=(path, barrier), name="indexer")
    indexer.start()
    print("MARK main pid=%d" % os.getpid())
    update_index(path, barrier)
