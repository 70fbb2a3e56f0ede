"""Unix sockets that a process has both ends of."""

import os
import socket

from hangtui.backends.ipc.unconnected import _are_pairs


def _inode(end: socket.socket) -> int:

    return os.fstat(end.fileno()).st_ino


def test_both_ends_of_a_pair_lead_nowhere_else() -> None:
    one, other = socket.socketpair()
    with one, other:
        both = {_inode(one), _inode(other)}
        assert _are_pairs(both)
        assert _are_pairs(())
        assert not _are_pairs(both - {_inode(other)})
