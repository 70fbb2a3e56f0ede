"""A FUSE file system in which some things are never answered: ``silent_files.py FOLDER WHAT...``.

WHAT is ``read``, ``getattr`` or ``flush``, of the one file ``file`` in it; all else works.
Ends when its standard input does; the file system goes with it.
"""

import ctypes
import os
import struct
import sys

LOOKUP, FORGET, GETATTR, OPEN, READ, RELEASE, FLUSH, INIT = 1, 2, 3, 14, 15, 18, 25, 26
FILE, SIZE = 2, 4096
folder, *what = sys.argv[1:]
silent = [{"read": READ, "getattr": GETATTR, "flush": FLUSH}[word] for word in what]
libc = ctypes.CDLL(None, use_errno=True)


def attributes(node):
    mode = 0o40755 if node == 1 else 0o100644
    size = 0 if node == 1 else SIZE
    return struct.pack("<6Q10I", node, size, 0, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)


def answer(unique, body, error=0):
    os.write(fuse, struct.pack("<IiQ", 16 + len(body), -error, unique) + body)


fuse = os.open("/dev/fuse", os.O_RDWR)
options = f"fd={fuse},rootmode=40000,user_id=0,group_id=0,allow_other".encode()
if libc.mount(b"silent", folder.encode(), b"fuse.silent", 0, options):
    sys.exit(os.strerror(ctypes.get_errno()))
server = os.fork()
if server:
    os.close(fuse)
    os.write(1, b"ready\n")
    sys.stdin.read()
    libc.umount2(folder.encode(), 2)  # MNT_DETACH
    os.kill(server, 9)  # all that wait for it go on
    os._exit(0)
while True:
    try:
        request = os.read(fuse, 1 << 17)
    except OSError:
        break
    _, code, unique, node = struct.unpack_from("<IIQQ", request)
    if code in silent and node == FILE:
        continue
    if code == INIT:
        answer(unique, struct.pack("<IIIIHHIIHH32x", 7, 31, 65536, 0, 12, 9, 65536, 1, 1, 0))
    elif code == LOOKUP and request[40:].rstrip(b"\0") == b"file":
        answer(unique, struct.pack("<QQQQII", FILE, 1, 3600, 0, 0, 0) + attributes(FILE))
    elif code == GETATTR:
        answer(unique, struct.pack("<QII", 0, 0, 0) + attributes(node))
    elif code == OPEN:
        answer(unique, struct.pack("<QII", 7, 0, 0))
    elif code == READ:
        answer(unique, b"x" * SIZE)
    elif code in (FLUSH, RELEASE):
        answer(unique, b"")
    elif code != FORGET:
        answer(unique, b"", 38)  # ENOSYS
