"""What the Python frames of a process tell those who relate it to others."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from hangtui.backends.cpython.bystanders import bystanders
from hangtui.backends.cpython.fork_server import asks_fork_server
from hangtui.backends.cpython.polled_files import PolledFiles
from hangtui.backends.cpython.polled_processes import PolledProcesses
from hangtui.backends.cpython.proxy_locks import proxy_locks
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.sentinels import Sentinels
from hangtui.backends.cpython.socket_users import SocketUsers
from hangtui.backends.cpython.unflushed import Unflushed
from hangtui.backends.procfs.thread_syscall import BlockedThread


def by_frames(python: PythonReader, asleep: Mapping[int, BlockedThread]) -> dict[str, Any]:
    """Fields of a `Peer`, by name. *asleep*: threads that sleep in the kernel, by TID."""
    sockets = SocketUsers(python)
    users = sockets.of
    return {
        "file_users": PolledFiles(python, asleep),
        "polled_processes": PolledProcesses(python, asleep).polled,
        "socket_users": users,
        "pipe_users": partial(users, kept=True),
        "decrypts": sockets.decrypts,
        "sentinels": Sentinels(python).by_descriptor,
        "proxy_locks": partial(proxy_locks, python),
        "bystanders": partial(bystanders, python),
        "unflushed": Unflushed(python).of,
        "asks_fork_server": partial(asks_fork_server, python),
    }
