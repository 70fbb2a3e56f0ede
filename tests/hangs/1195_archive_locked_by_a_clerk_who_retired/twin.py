import fcntl
import multiprocessing
import os
import signal
import tempfile
import time


def keep_watch():
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    while True:
        time.sleep(3600)


class Archive:
    def __init__(self, path):
        self.path = path
        self.lines = 0

    def append(self, text):
        with open(self.path + ".lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with open(self.path, "a") as book:
                book.write(text + "\n")
        self.lines += 1


def first_shift(archive):
    with open(archive.path + ".lock", "w") as lock:
        if LOCKED:
            fcntl.flock(lock, fcntl.LOCK_EX)
        watch = multiprocessing.get_context("fork").Process(target=keep_watch, name="night-watch")
        watch.start()
    os._exit(0)


def run_archive(folder):
    archive = Archive(os.path.join(folder, "book"))
    shift = multiprocessing.get_context("fork").Process(target=first_shift, args=(archive,))
    shift.start()
    shift.join()
    while True:
        archive.append("line %d" % archive.lines)
        time.sleep(0.05)


LOCKED = False


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        run_archive(folder)
