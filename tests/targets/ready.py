"""What every target does first and last: limit its life, and say when it is where it should be.

Imported by programs that run under CPython 3.6 and newer, so it is written for the oldest.
"""

import ctypes
import os
import signal
import subprocess
import sys

signal.alarm(int(os.environ.get("HANGTUI_TARGET_LIMIT", "120")))
ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: not longer than whoever started it

PYTHON = os.environ.get("HANGTUI_PYTHON", sys.executable)
"""What to start children with: some interpreters only start through a script."""
HERE = os.path.dirname(os.path.abspath(__file__))


def ready():
    """Tell whoever started this program. Without a FIFO in the environment it says so in words."""
    fifo = os.environ.get("HANGTUI_READY")
    if fifo:
        with open(fifo, "w") as stream:
            stream.write("ready")
    else:
        print("ready, PID %d" % os.getpid(), flush=True)


def native_library(source, name):
    """The library *name* of the targets, built on first use into a folder of its own."""
    path = os.path.join(HERE, "native", source)
    folder = os.environ.get("HANGTUI_TARGET_BUILD", os.path.join(HERE, "build"))
    target = os.path.join(folder, name)
    if not os.path.exists(target) or os.path.getmtime(target) < os.path.getmtime(path):
        os.makedirs(folder, exist_ok=True)
        fresh = "%s.%d" % (target, os.getpid())
        command = ["gcc", "-O1", "-g", "-fPIC", "-shared", "-pthread", "-o", fresh, path]
        subprocess.check_call(command)
        os.replace(fresh, target)
    return target


def library_path():
    """The native half of the targets."""
    return native_library("locks.c", "libfakedriver.so")


def releasing():
    """The native half, called without the GIL."""
    return ctypes.CDLL(library_path())


def keeping():
    """The native half, called with the GIL held."""
    return ctypes.PyDLL(library_path())
