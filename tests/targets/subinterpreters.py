"""Two sub-interpreters with GILs of their own, each with a thread that waits for a lock (3.12 on).

``subinterpreters.py main`` then deadlocks the GIL of the main interpreter with a native rwlock,
``subinterpreters.py own`` (3.13 on, whose ctypes can be loaded there) that of one of them.
"""

import ctypes
import os
import sys
import threading

from ready import HERE, keeping, library_path, ready, releasing

try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters

QUIET = """
import os, threading
lock = threading.Lock()
def keep():
    with lock:
        started.set()
        threading.Event().wait()
started = threading.Event()
threading.Thread(target=keep, name="keeper-%(name)s").start()
started.wait()
os.write(%(descriptor)d, b"!")
with lock:
    pass
"""

DEADLOCKED = """
import sys
sys.path.insert(0, %(here)r)
import ctypes, os, threading
callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)
driver, raw = ctypes.CDLL(%(library)r), ctypes.PyDLL(%(library)r)
def block_size():
    return driver.occupancy(callback(lambda threads: threads))
threading.Thread(target=block_size, name="launcher-inside").start()
raw.copy_memory(b"!", %(descriptor)d)
"""
CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)


def run(name, script):
    """Run *script* in a new interpreter, in a thread of this one; back when it is at its wait."""
    reader, writer = os.pipe()
    text = script % {"name": name, "descriptor": writer, "here": HERE, "library": library_path()}
    interpreter = interpreters.create()
    thread = threading.Thread(
        target=interpreters.run_string, args=(interpreter, text), name=name, daemon=True
    )
    thread.start()
    os.read(reader, 1)


def deadlock_here():
    driver, raw = releasing(), keeping()

    def block_size():
        return driver.occupancy(CALLBACK(lambda threads: threads))

    threading.Thread(target=block_size, name="launcher", daemon=True).start()
    raw.copy_memory(b"ready", os.open(os.environ["HANGTUI_READY"], os.O_WRONLY))


if __name__ == "__main__":
    run("first", QUIET)
    run("second", DEADLOCKED if sys.argv[1] == "own" else QUIET)
    if sys.argv[1] == "main":
        deadlock_here()
    else:
        ready()
        threading.Event().wait()
