import contextlib
import fcntl
import os
import signal
import subprocess
import sys

signal.alarm(120)
HOOK = [sys.executable, "-u", os.path.abspath(__file__), "list"]


@contextlib.contextmanager
def locked(path):
    with open(path, "a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def list_packages(path):
    with locked(path):
        print("tea rice")


def install_package(path, name):
    with locked(path):
        subprocess.run([*HOOK, path, name], check=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["list"]:
        list_packages(sys.argv[2])
    else:
        import tempfile

        print("MARK main pid=%d" % os.getpid())
        install_package(os.path.join(tempfile.mkdtemp(prefix="hang_"), "packages.lock"), "tea")
