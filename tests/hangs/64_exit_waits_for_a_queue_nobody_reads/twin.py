import multiprocessing
import os
import signal
import time

signal.alarm(120)


def copy_files(batches):
    while batches.get()[0] != "end":
        time.sleep(0.005)


def sync_folder(count):
    batches = multiprocessing.Queue()
    worker = multiprocessing.Process(target=copy_files, args=(batches,))
    worker.start()
    for number in range(count):
        batches.put(["file-%d" % number] * 500)
    batches.put(["end"])
    worker.join()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    print("MARK main pid=%d" % os.getpid())
    while True:
        sync_folder(200)
