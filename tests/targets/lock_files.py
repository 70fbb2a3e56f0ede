"""Lock files that nobody gives back, each with a healthy twin: ``lock_files.py NAME``."""

import concurrent.futures
import errno
import fcntl
import multiprocessing
import os
import struct
import subprocess
import sys
import tempfile
import threading
import time

from ready import PYTHON, ready


class FileLock:
    """Asks again and again, as libraries do that have a timeout for it."""

    def __init__(self, path):
        self.path = path
        self.file = None

    def __enter__(self):
        while not self.try_to_lock():
            time.sleep(0.05)
        return self

    def __exit__(self, *_):
        os.close(self.file)

    def try_to_lock(self):
        file = os.open(self.path, os.O_RDWR | os.O_CREAT)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(file)
            return False
        self.file = file
        return True


class SoftLock:
    """Has it as long as the file is there."""

    def __init__(self, path):
        self.path = path

    def __enter__(self):
        while True:
            try:
                file = os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
                break
            except OSError as error:
                if error.errno != errno.EEXIST:
                    raise
            time.sleep(0.05)
        os.write(file, b"%d\n" % os.getpid())
        os.close(file)

    def __exit__(self, *_):
        os.unlink(self.path)


def lock_path():
    return os.path.join(tempfile.mkdtemp(prefix="hangtui-test-"), "index.lock")


# -- a thread of its own process has it -----------------------------------------------------------


def refresh_index(path, seconds=0.0):
    with FileLock(path):
        time.sleep(seconds)


def publish(path, pool):
    with FileLock(path):
        pool.submit(refresh_index, path).result()


def waited_for_by_who_has_it():
    path, pool = lock_path(), concurrent.futures.ThreadPoolExecutor(1, "indexer")
    publisher = threading.Thread(target=publish, args=(path, pool), name="publisher")
    publisher.start()
    ready()
    publisher.join()


def refresh_often(path, seconds):
    while True:
        refresh_index(path, seconds)
        time.sleep(seconds)


def given_back_in_time():
    """Healthy: two threads have it in turn."""
    path = lock_path()
    for _ in range(2):
        threading.Thread(target=refresh_often, args=(path, 0.02), daemon=True).start()
    ready()
    threading.Event().wait(300)


def kept_by_a_daemon():
    """Healthy: it keeps its second copy out, and does its work by the clock."""
    path = lock_path()
    file = os.open(path, os.O_RDWR | os.O_CREAT)
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    ready()
    while True:
        time.sleep(0.1)


# -- a child has inherited it ---------------------------------------------------------------------


def back_up(path, *, inherited):
    file = os.open(path, os.O_RDWR | os.O_CREAT)
    fcntl.flock(file, fcntl.LOCK_EX)
    if inherited:
        os.set_inheritable(file, True)
    command = [PYTHON, "-c", "import time; time.sleep(300)"]
    helper = subprocess.Popen(command, close_fds=not inherited)
    os.close(file)
    return helper


def inherited_by_a_child():
    path = lock_path()
    helper = back_up(path, inherited=True)
    ready()
    back_up(path, inherited=False)
    helper.wait()


def not_inherited():
    """Healthy: the helper has nothing of it."""
    path = lock_path()
    helper = back_up(path, inherited=False)
    ready()
    second = back_up(path, inherited=False)
    helper.wait()
    second.wait()


# -- two processes read, and both want to write ---------------------------------------------------


class RecordLock:
    """One for reading or for writing; the path is a ``bytes``."""

    def __init__(self, path):
        self.path = os.fsencode(path)
        self.file = open(self.path, "a+")

    def wait_for(self, mode):
        while not self.try_to_lock(mode):
            time.sleep(0.05)

    def try_to_lock(self, mode):
        try:
            fcntl.lockf(self.file, mode if mode == fcntl.LOCK_UN else mode | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


def update_index(lock, read_by_both=None):
    lock.wait_for(fcntl.LOCK_SH)
    if read_by_both:
        read_by_both.wait()
    else:
        lock.wait_for(fcntl.LOCK_UN)
    lock.wait_for(fcntl.LOCK_EX)
    time.sleep(0.02)
    lock.wait_for(fcntl.LOCK_UN)


def update_often(path):
    lock = RecordLock(path)
    while True:
        update_index(lock)


def wanted_by_both_readers():
    path, context = lock_path(), multiprocessing.get_context("fork")
    read_by_both = context.Barrier(3)

    def update():
        update_index(RecordLock(path), read_by_both)

    for number in range(2):
        context.Process(target=update, name="indexer_%d" % number).start()
    read_by_both.wait()
    ready()


def read_and_then_written():
    """Healthy: who wants to write has given back what it had to read."""
    path = lock_path()
    multiprocessing.get_context("fork").Process(target=update_often, args=(path,)).start()
    ready()
    update_often(path)


# -- a lock that the kernel gives ------------------------------------------------------------------


class KernelLock:
    """Waits in the kernel."""

    def __init__(self, path):
        self.path = path
        self.file = None

    def __enter__(self):
        self.file = os.open(self.path, os.O_RDWR | os.O_CREAT)
        fcntl.flock(self.file, fcntl.LOCK_EX)
        return self

    def __exit__(self, *_):
        os.close(self.file)


def count_sacks(path, scales, entered):
    with scales:
        entered.wait()
        with KernelLock(path):
            pass


def store_sacks(path, scales, entered):
    with KernelLock(path):
        entered.wait()
        with scales:
            pass


def crossed_with_a_lock_of_the_program():
    """Who waits for the file is not the one of its process that has it."""
    path, scales, entered = lock_path(), threading.Lock(), threading.Barrier(2)
    for work in (count_sacks, store_sacks):
        threading.Thread(target=work, args=(path, scales, entered), name=work.__name__).start()
    ready()


class OpenFileLock(KernelLock):
    """As `KernelLock`; the kernel does not record which process has taken it."""

    def __enter__(self):
        self.file = os.open(self.path, os.O_RDWR | os.O_CREAT)
        fcntl.fcntl(self.file, 38, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))
        return self


def note_sacks(path, entered):
    with OpenFileLock(path):
        entered.set()
        with OpenFileLock(path):
            pass


def locked_again_by_who_has_it_open():
    """One of two threads that wait for it has it itself."""
    path, entered = lock_path(), threading.Event()
    threading.Thread(target=note_sacks, args=(path, entered), name="note_sacks").start()
    entered.wait()
    ready()
    with OpenFileLock(path):
        pass


def weigh(path, seconds, pause, began=None):
    if began is not None:
        began.set()
    while True:
        with KernelLock(path):
            time.sleep(seconds)
        time.sleep(pause)


def handed_on_by_the_kernel():
    """Healthy: three processes have it in turn, each for longer than it does without it."""
    path = lock_path()
    for _ in range(2):
        began = multiprocessing.Event()
        child = multiprocessing.Process(target=weigh, args=(path, 0.15, 0.05, began), daemon=True)
        child.start()
        began.wait()
    ready()
    weigh(path, 0.15, 0.05)


def grind(path, began):
    with KernelLock(path):
        began.set()
        while True:
            sum(range(1000))


def kept_while_another_computes():
    """Healthy: whoever has it is at work."""
    path, began = lock_path(), multiprocessing.Event()
    multiprocessing.Process(target=grind, args=(path, began), daemon=True).start()
    began.wait()
    ready()
    with KernelLock(path):
        pass


# -- a file that is there or not ------------------------------------------------------------------


def deploy(path, seconds=0.0):
    with SoftLock(path):
        time.sleep(seconds)


def left_behind():
    path = lock_path()
    ended = subprocess.Popen([PYTHON, "-c", "pass"])
    ended.wait()
    with open(path, "w") as file:
        file.write("%d\n" % ended.pid)
    ready()
    deploy(path)


def deploy_both(first, second, entered):
    with SoftLock(first):
        entered.wait()
        with SoftLock(second):
            pass


def wanted_crosswise_by_two_processes():
    """The kernel knows of no lock here: each is inside of a ``with`` on what the other wants."""
    first, second = lock_path(), lock_path()
    entered = multiprocessing.Barrier(2)
    paths = (second, first, entered)
    multiprocessing.Process(target=deploy_both, args=paths, daemon=True).start()
    ready()
    deploy_both(first, second, entered)


def deploy_often(path):
    while True:
        deploy(path, 0.02)
        time.sleep(0.01)


def removed_in_time():
    """Healthy: two threads have it in turn."""
    path = lock_path()
    for _ in range(2):
        threading.Thread(target=deploy_often, args=(path,), daemon=True).start()
    ready()
    threading.Event().wait(300)


# -- a folder that is there or not ----------------------------------------------------------------


class FolderLock:
    """Has it as long as the folder is there."""

    def __init__(self, path):
        self.path = path

    def __enter__(self):
        while True:
            try:
                os.mkdir(self.path)
                break
            except FileExistsError:
                time.sleep(0.05)

    def __exit__(self, *_):
        os.rmdir(self.path)


def archive(path, seconds=0.0):
    with FolderLock(path):
        time.sleep(seconds)


def folder_left_behind():
    path = lock_path()
    os.mkdir(path)
    open(os.path.join(path, "archiver-17"), "w").close()
    ready()
    archive(path)


def archive_often(path):
    while True:
        archive(path, 0.02)
        time.sleep(0.01)


def folder_removed_in_time():
    """Healthy: two threads have it in turn."""
    path = lock_path()
    for _ in range(2):
        threading.Thread(target=archive_often, args=(path,), daemon=True).start()
    ready()
    threading.Event().wait(300)


def folder_made_if_it_is_not_there():
    """Healthy: a daemon sees to it by the clock that there is a folder to write to."""
    path = os.path.join(os.path.dirname(lock_path()), "blocks")
    ready()
    while True:
        time.sleep(0.1)
        try:
            os.mkdir(path)
        except FileExistsError:
            pass


if __name__ == "__main__":
    globals()[sys.argv[1]]()
