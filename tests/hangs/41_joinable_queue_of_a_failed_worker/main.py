import multiprocessing
import os
import signal
import sys
import time

signal.alarm(120)


def scale_pictures(pictures):
    sys.stderr = open(os.devnull, "w")
    while True:
        width = pictures.get()
        time.sleep(0.02)
        int(1000 / width)
        pictures.task_done()


def scale_all(pictures, widths):
    for width in widths:
        pictures.put(width)
    pictures.join()


if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    pictures = context.JoinableQueue()
    worker = context.Process(target=scale_pictures, args=(pictures,), daemon=True)
    worker.start()
    print("MARK main pid=%d" % os.getpid())
    scale_all(pictures, [20, 10, 0, 40])
