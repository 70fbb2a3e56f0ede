"""A process with a page that a userfaultfd would have to deliver, which nobody serves.

    trapped.py WHERE [--own-faults]

WHERE is where the page lies: ``threads``, behind the interpreter's list of threads; ``command``,
under the command line; ``lock``, under the word that a thread waits for. With --own-faults the
kernel's reads fail instead of waiting, which is all that somebody without privileges may ask for.
"""

import ctypes
import fcntl
import os
import struct
import sys
import threading
import time

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_ulong, *[ctypes.c_int] * 3, ctypes.c_long]
SIZE = 1 << 20
SYS_FUTEX, SYS_USERFAULTFD = 202, 323
UFFDIO_API, UFFDIO_REGISTER = 0xC018AA3F, 0xC020AA00
UFFD_API, MODE_MISSING, USER_MODE_ONLY = 0xAA, 1, 1
MADV_DONTNEED = 4
PR_SET_MM, PR_SET_MM_MAP = 35, 14


def checked(value):
    if value < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return value


def trap(address, flags):
    """From now on, whoever touches the pages waits for ever."""
    descriptor = checked(libc.syscall(SYS_USERFAULTFD, os.O_CLOEXEC | flags))
    fcntl.ioctl(descriptor, UFFDIO_API, bytearray(struct.pack("QQQ", UFFD_API, 0, 0)))
    order = bytearray(struct.pack("QQQQ", address, SIZE, MODE_MISSING, 0))
    fcntl.ioctl(descriptor, UFFDIO_REGISTER, order)
    checked(libc.madvise(ctypes.c_void_p(address), ctypes.c_ulong(SIZE), MADV_DONTNEED))


def wait_for(address):
    libc.syscall(SYS_FUTEX, ctypes.c_void_p(address), 128, 0, None, None, 0)


def move_command_line(area):
    """Tell the kernel that it lies there; nobody needs a privilege for that."""
    fields = open("/proc/self/stat").read().rpartition(")")[2].split()
    code, data = map(int, fields[23:26]), map(int, fields[42:45])
    libc.sbrk.restype = ctypes.c_void_p
    code_start, code_end, stack = code
    words = [code_start, code_end, *data, libc.sbrk(0), stack, area, area + 100, area + 200]
    order = struct.pack("<12QIi", *words, area + 300, 0, 0, -1)
    checked(libc.prctl(PR_SET_MM, PR_SET_MM_MAP, order, ctypes.c_ulong(len(order)), 0))


def main(where, flags):
    area = libc.mmap(None, SIZE, 3, 0x22, -1, 0)
    if where == "lock":
        ctypes.c_uint64.from_address(area + 64).value = 0
        waiter = threading.Thread(target=wait_for, args=(area + 64,), daemon=True)
        waiter.start()
        place = f"/proc/self/task/{waiter.native_id}/syscall"
        while not open(place).read().startswith(f"{SYS_FUTEX} {area + 64:#x}"):
            time.sleep(0.001)
    trap(area, flags)
    if where == "command":
        move_command_line(area)
    with open(os.environ["HANGTUI_READY"], "w") as ready:
        ready.write("ready")
    if where == "threads":
        api = ctypes.pythonapi
        api.PyThreadState_Get.restype = ctypes.c_void_p
        # The second word of a PyThreadState leads to the next one.
        ctypes.c_uint64.from_address(api.PyThreadState_Get() + 8).value = area + 64
    libc.pause()


if __name__ == "__main__":
    main(sys.argv[1], USER_MODE_ONLY if sys.argv[2:] == ["--own-faults"] else 0)
