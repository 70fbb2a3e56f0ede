import multiprocessing
import os
import signal
import sys
import time

from tqdm import tqdm

signal.alarm(120)


def copy_file(started):
    with tqdm.get_lock():
        started.set()
        time.sleep(300)


def sum_files(sizes):
    total = 0
    for size in tqdm(sizes, file=sys.stderr):
        total += size
    return total


def copy_and_sum(context):
    started = context.Event()
    child = context.Process(target=copy_file, args=(started,), name="copier")
    child.start()
    started.wait()
    child.kill()
    child.join()
    sum_files(range(5))


if __name__ == "__main__":
    tqdm.get_lock()
    print("MARK main pid=%d" % os.getpid())
    copy_and_sum(multiprocessing.get_context("fork"))
