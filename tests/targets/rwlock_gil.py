"""A native rwlock against the GIL: the deadlock that neither gdb nor py-spy alone explains.

``launcher`` holds the driver's rwlock and calls back into Python, so it waits for the GIL;
MainThread keeps the GIL (ctypes.PyDLL) while it waits for the rwlock.
"""

import ctypes
import os
import threading

from ready import keeping, releasing

CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)
driver, raw = releasing(), keeping()


def block_size():
    return driver.occupancy(CALLBACK(lambda threads: threads))


def stage_buffers():
    fifo = os.environ.get("HANGTUI_READY")
    descriptor = os.open(fifo, os.O_WRONLY) if fifo else -1
    raw.copy_memory(b"ready", descriptor)


if __name__ == "__main__":
    threading.Thread(target=block_size, name="launcher", daemon=True).start()
    stage_buffers()
