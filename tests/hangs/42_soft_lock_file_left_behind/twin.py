import os
import signal
import tempfile
import time

from filelock import SoftFileLock

signal.alarm(120)


def old_run(path):
    with open(path, "w") as lock_file:
        lock_file.write("4711\nbuild-7.example\n")


def deploy_site(path):
    with SoftFileLock(path):
        time.sleep(0.02)


if __name__ == "__main__":
    path = os.path.join(tempfile.mkdtemp(prefix="hang_"), "deploy.lock")
    print("MARK main pid=%d" % os.getpid())
    while True:
        deploy_site(path)
