"""A process that has a file mapped whose file system, FUSE, never answers a read.

    mute_files.py WHERE

WHERE: ``threads``: the interpreter's list of threads leads into the mapping; ``library``: the file
is mapped like a library, and a thread's stack leads into it. Root, in a mount namespace of its own.
"""

import ctypes
import mmap
import os
import signal
import struct
import sys
import tempfile

libc = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNS, MS_PRIVATE, MS_REC, PR_SET_PDEATHSIG = 0x20000, 1 << 18, 1 << 14, 1
LOOKUP, GETATTR, OPEN, READ, FLUSH, INIT, OPENDIR = 1, 3, 14, 15, 25, 26, 27
"""linux/fuse.h"""
NAME, SIZE = b"libmute.so", 1 << 20


def checked(value):
    if value < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return value


def attributes(node):
    mode = 0o40755 if node == 1 else 0o100755
    times = (0,) * 6
    return struct.pack("<6Q3I7I", node, SIZE, 8, *times[:3], 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)


def answer(kind, node, body):
    """What to say; None: nothing, ever."""
    if kind == INIT:
        _, minor, ahead, _ = struct.unpack_from("<4I", body)
        return struct.pack(
            "<4I2HI2H8I", 7, min(minor, 31), ahead, 0, 12, 9, 1 << 17, 0, 0, *[0] * 8
        )
    if kind == LOOKUP:
        if body.rstrip(b"\0") != NAME:
            return -2
        return struct.pack("<4Q2I", 2, 0, 3600, 3600, 0, 0) + attributes(2)
    if kind == GETATTR:
        return struct.pack("<Q2I", 3600, 0, 0) + attributes(node)
    if kind in (OPEN, OPENDIR):
        return struct.pack("<Q2I", 1, 0, 0)
    return None if kind == READ else b""


def serve(device):
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    while True:
        request = os.read(device, 1 << 18)
        _, kind, unique, node = struct.unpack_from("<IIQQ", request)
        said = answer(kind, node, request[40:])
        if said is None:
            continue
        error, body = (said, b"") if isinstance(said, int) else (0, said)
        os.write(device, struct.pack("<IiQ", 16 + len(body), error, unique) + body)


def main(where):
    checked(libc.unshare(CLONE_NEWNS))
    checked(libc.mount(None, b"/", None, MS_REC | MS_PRIVATE, None))
    folder = tempfile.mkdtemp()
    device = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
    options = f"fd={device},rootmode=40000,user_id=0,group_id=0,allow_other"
    checked(libc.mount(b"mute", folder.encode(), b"fuse", 0, options.encode()))
    if not os.fork():
        serve(device)
    os.close(device)
    file = os.open(os.path.join(folder, NAME.decode()), os.O_RDONLY)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_ulong, *[ctypes.c_int] * 3, ctypes.c_long]
    access = mmap.PROT_READ | (mmap.PROT_EXEC if where == "library" else 0)
    area = libc.mmap(None, SIZE, access, mmap.MAP_PRIVATE, file, 0)
    with open(os.environ["HANGTUI_READY"], "w") as ready:
        ready.write("ready")
    if where == "threads":
        api = ctypes.pythonapi
        api.PyThreadState_Get.restype = ctypes.c_void_p
        ctypes.c_uint64.from_address(api.PyThreadState_Get() + 8).value = area + 64
        libc.pause()
    else:
        # On the stack: addresses that look like places in the library that a call returns to.
        words = (ctypes.c_uint64 * 64)(*[area + 0x1000 + 16 * n for n in range(64)])
        libc.pause()
        del words


if __name__ == "__main__":
    main(sys.argv[1])
