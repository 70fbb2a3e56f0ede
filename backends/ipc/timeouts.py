"""Whether a call on a socket gives up by itself, its SO_RCVTIMEO or SO_SNDTIMEO, and what kind of
socket one is that no table of the kernel's lists.

No file of /proc tells. Python's own timeouts do not use these options (it polls first); C libraries
and ``setsockopt`` do. pidfd_getfd(2) lends us the socket for a moment, so that we can ask it; the
process notices nothing. The loan needs the permission that reading its memory needs as well.

To be called in a process that can be left behind (``deputy``): what is lent need not be a socket
any more, and to close a file of a FUSE file system is to wait for its owner.
"""

import contextlib
import ctypes
import os
import socket
import struct

_SYS_PIDFD_GETFD = 438
"""asm-generic/unistd.h, Linux 5.6; the same number on all machines."""
_CONNECTING = (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_VSOCK)
"""Families in which a socket can be connected to one other."""
_TIMEVAL = struct.Struct("@ll")


def has_timeout(pid: int, fd: int, option: int) -> bool | None:
    """Whether a socket has a timeout, *option*: SO_RCVTIMEO or SO_SNDTIMEO; None: it cannot be
    seen."""
    try:
        with contextlib.closing(_borrowed(pid, fd)) as lent:
            return any(_TIMEVAL.unpack(lent.getsockopt(socket.SOL_SOCKET, option, _TIMEVAL.size)))
    except (OSError, struct.error):
        return None


def nature(pid: int, fd: int) -> tuple[int, int, bool, str | None] | None:
    """What a socket is: its address family, its type, whether it accepts connections, and whom it
    is connected to, which may have no name; None: it cannot be seen."""
    try:
        with contextlib.closing(_borrowed(pid, fd)) as lent:
            peer = None
            with contextlib.suppress(OSError):
                address = lent.getpeername() if lent.family in _CONNECTING else None
                peer = "{}:{}".format(*address[:2]) if isinstance(address, tuple) else None
                peer = "" if lent.family == socket.AF_UNIX else peer
            accepts = lent.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
            return int(lent.family), int(lent.type), bool(accepts), peer
    except (OSError, ValueError):
        return None


def _borrowed(pid: int, fd: int) -> socket.socket:
    """A duplicate of another process's socket.

    Raises:
        OSError: the kernel does not lend it, or it is none.
    """
    process = os.pidfd_open(pid)
    try:
        found = ctypes.CDLL(None, use_errno=True).syscall(_SYS_PIDFD_GETFD, process, fd, 0)
        if found < 0:
            raise OSError(ctypes.get_errno(), "pidfd_getfd")
    finally:
        os.close(process)
    try:
        return socket.socket(fileno=found)
    except OSError:
        os.close(found)
        raise
