import multiprocessing
import os
import signal
import sys
import time

signal.alarm(120)


def convert(files, progress):
    sys.stderr = open(os.devnull, "w")
    for name in files:
        progress.put(int(name))
        time.sleep(0.02)
    progress.put(None)


def show_progress(progress):
    done = []
    while (step := progress.get()) is not None:
        done.append(step)
    return done


def convert_all(manager, files):
    progress = manager.Queue()
    worker = multiprocessing.Process(target=convert, args=(files, progress), name="converter")
    worker.start()
    show_progress(progress)
    worker.join()


if __name__ == "__main__":
    with multiprocessing.Manager() as manager:
        print("MARK main pid=%d" % os.getpid())
        convert_all(manager, ["1", "2", "three", "4"])
