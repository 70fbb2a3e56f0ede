"""A lock of C code against the GIL: what neither gdb nor a Python profiler explains alone.

`launcher` has taken a rwlock in C and needs the GIL to go on. MainThread keeps the GIL while it
waits in C for that rwlock.
"""

import ctypes
import os
import sys
import threading

from sample import keeping, libc

sys.setswitchinterval(3600)  # the GIL goes only where somebody gives it away: no luck is needed
context_lock = ctypes.create_string_buffer(256)  # a pthread_rwlock_t
taken = threading.Event()
wake, woken = os.pipe()[::-1]


def launch_kernel():
    libc.pthread_rwlock_wrlock(context_lock)
    taken.set()
    libc.read(woken, ctypes.create_string_buffer(1), 1)  # back from here it needs the GIL
    libc.pthread_rwlock_unlock(context_lock)


def copy_to_device():
    taken.wait()
    keeping.write(wake, b"x", 1)
    keeping.write(1, b"ready", 5)
    keeping.pthread_rwlock_wrlock(context_lock)


threading.Thread(target=launch_kernel, name="launcher", daemon=True).start()
copy_to_device()
