import contextlib
import fcntl
import os
import signal
import tempfile
import threading
import time

signal.alarm(120)
ledger_path = os.path.join(tempfile.mkdtemp(prefix="hang_"), "ledger.txt")


@contextlib.contextmanager
def open_ledger():
    with open(ledger_path, "a") as ledger:
        fcntl.flock(ledger, fcntl.LOCK_EX)
        yield ledger


def rotate_ledger(number, frame):
    with open_ledger() as ledger:
        ledger.truncate(0)


def write_entries(count):
    with open_ledger() as ledger:
        for number in range(count):
            ledger.write("entry %d" % number)
            time.sleep(0.01)


if __name__ == "__main__":
    signal.signal(signal.SIGHUP, rotate_ledger)
    print("MARK main pid=%d" % os.getpid())
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGHUP)).start()
    write_entries(200)
