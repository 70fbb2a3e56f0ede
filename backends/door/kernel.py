"""Two system calls that Python does not offer: openat2(2) and fstatfs(2) with its type."""

import ctypes
import errno
import os
import struct

_OPENAT2 = 437
"""The same on every machine, asm-generic/unistd.h."""
_NO_MAGIC_LINKS, _IN_ROOT = 0x02, 0x10
"""RESOLVE_ flags, linux/openat2.h."""
_TRIES = 8
"""The kernel gives up with EAGAIN where something on the way was renamed meanwhile."""
_STATFS_SIZE = 120
"""sizeof(struct statfs) on x86-64; its first word is the type."""
PATH_ONLY = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC

_library = ctypes.CDLL(None, use_errno=True)
_syscall = _library.syscall
_syscall.restype = ctypes.c_long
_fstatfs = _library.fstatfs


def open_in_root(root: int, path: str) -> int:
    """A descriptor, for nothing but its place, of what *path* names if *root* were ``/``.

    Raises:
        NotImplementedError: this kernel has no such call, or a filter forbids it.
        OSError: there is nothing, or links change while it looks.
    """
    how = struct.pack("<QQQ", os.O_PATH | os.O_CLOEXEC, 0, _IN_ROOT | _NO_MAGIC_LINKS)
    name = os.fsencode(path)
    if b"\0" in name:
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), path)
    for _ in range(_TRIES):
        found = int(_syscall(_OPENAT2, root, name, how, len(how)))
        if found >= 0:
            return found
        number = ctypes.get_errno()
        if number in (errno.ENOSYS, errno.EPERM):
            raise NotImplementedError
        if number not in (errno.EAGAIN, errno.EINTR):
            break
    raise OSError(number, os.strerror(number), path)


def file_system(descriptor: int) -> int:
    """The magic number of the file system, linux/magic.h.

    Raises:
        OSError: it cannot be told.
    """
    buffer = ctypes.create_string_buffer(_STATFS_SIZE)
    if _fstatfs(descriptor, buffer) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    kind: int = struct.unpack_from("<Q", buffer)[0]
    return kind & 0xFFFFFFFF
