import os
import signal
import subprocess
import sys
import tempfile
import time

import portalocker

signal.alarm(120)
HELPER = "import time\nwhile True: time.sleep(0.5)"


def take_lock(path):
    lock_file = open(path, "w")
    portalocker.lock(lock_file, portalocker.LOCK_EX)
    return lock_file


def start_helper(close_fds):
    return subprocess.Popen([sys.executable, "-c", HELPER], close_fds=close_fds)


def first_backup(path):
    lock_file = take_lock(path)
    os.set_inheritable(lock_file.fileno(), True)
    helper = start_helper(close_fds=False)
    lock_file.close()
    return helper


def run_backup(path):
    lock_file = take_lock(path)
    time.sleep(0.02)
    lock_file.close()


if __name__ == "__main__":
    path = os.path.join(tempfile.mkdtemp(prefix="hang_"), "backup.lock")
    helper = first_backup(path)
    print("MARK main pid=%d" % os.getpid())
    run_backup(path)
