"""Lets a thread, and what it starts, open only the files that it is given (Landlock).

The kernel looks at the file that is really opened, whatever name and links lead there, and refuses
before a pipe waits or a device does anything (Documentation/userspace-api/landlock.rst).
"""

import ctypes
import errno
import os
import struct
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_CREATE, _ADD, _RESTRICT = 444, 445, 446
"""System calls, asm-generic/unistd.h."""
_VERSION = 1
_BENEATH = 1
_EXECUTE, _READ_FILE, _READ_FOLDER = 1 << 0, 1 << 2, 1 << 3
_WRITE_FILE = 1 << 1
_FILES_SINCE = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""By the version of the interface: all rights to files that it knows, linux/landlock.h."""
_CONNECTIONS = 0b11
"""To bind and connect TCP, from version 4 on."""
_SCOPES = 0b11
"""Abstract Unix sockets and signals of others, from version 6 on."""
_NO_NEW_PRIVILEGES = 38
"""linux/prctl.h"""
_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


@cache
def version() -> int:
    """Of the kernel's interface; 0: there is none, or it may not be used."""
    try:
        return _call(_CREATE, None, 0, _VERSION)
    except OSError:
        return 0


def restrict(
    *, programs: Iterable[Path], listed: Iterable[Path], files: Iterable[int], written: Path
) -> None:
    """Leave the present thread, for good, nothing but what is given. What is not here is left out.

    Args:
        programs: folders and files that may be read and executed.
        listed: folders whose names may be read, and nothing in them.
        files: descriptors of files that may be opened again for reading.
        written: a device that may also be written to.

    Raises:
        OSError: the kernel refuses.
    """
    known = version()
    handled = max(bits for since, bits in _FILES_SINCE.items() if since <= known)
    attributes = struct.pack("<Q", handled)
    attributes += struct.pack("<Q", _CONNECTIONS) if known >= 4 else b""
    attributes += struct.pack("<Q", _SCOPES) if known >= 6 else b""
    rules = _call(_CREATE, attributes, len(attributes), 0)
    try:
        for path in programs:
            _allow_path(rules, path, _EXECUTE | _READ_FILE | _READ_FOLDER)
        for path in listed:
            _allow_path(rules, path, _READ_FOLDER)
        _allow_path(rules, written, _READ_FILE | _WRITE_FILE)
        for descriptor in files:
            _allow(rules, descriptor, _READ_FILE)
        if _libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "no_new_privs")
        _call(_RESTRICT, rules, 0)
    finally:
        os.close(rules)


def _allow_path(rules: int, path: Path, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        _allow(rules, descriptor, rights if path.is_dir() else rights & ~_READ_FOLDER)
    finally:
        os.close(descriptor)


def _allow(rules: int, descriptor: int, rights: int) -> None:
    try:
        _call(_ADD, rules, _BENEATH, struct.pack("<Qi", rights, descriptor), 0)
    except OSError as error:
        # Files in memory belong to no file system that rules could be made for; nor do they need.
        if error.errno != errno.EBADFD:
            raise


def _call(number: int, *arguments: int | bytes | None) -> int:
    words = [
        ctypes.c_long(argument) if isinstance(argument, int) else ctypes.c_char_p(argument)
        for argument in arguments
    ]
    result = int(_libc.syscall(ctypes.c_long(number), *words))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
