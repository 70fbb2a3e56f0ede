"""The system call a thread is blocked in, in words, from ``/proc/PID/task/TID/syscall``."""

from collections.abc import Callable

from hangtui.backends import arch
from hangtui.backends.arch import Arch
from hangtui.model import Syscall

FdName = Callable[[int], str | None]
"""What a file descriptor of the target refers to."""

_ON_A_DESCRIPTOR = frozenset(
    "read write ioctl pread64 pwrite64 readv writev connect accept accept4 sendto recvfrom sendmsg "
    "recvmsg recvmmsg sendmmsg fcntl flock fsync fdatasync sync_file_range syncfs splice preadv "
    "pwritev preadv2 pwritev2 copy_file_range mq_timedsend mq_timedreceive io_uring_enter "
    "close fstat ftruncate getdents64 "
    "epoll_wait epoll_pwait epoll_pwait2".split()
)

_FUTEX_OPERATIONS = {
    0: "wait", 3: "requeue", 4: "cmp_requeue", 6: "lock_pi", 9: "wait_bitset",
    11: "wait_requeue_pi", 13: "lock_pi2",
}  # fmt: skip
_FUTEX_COMMAND_MASK = 0x7F
_PATH_ARGUMENT = {
    **dict.fromkeys("open stat lstat access truncate rename mkdir rmdir unlink readlink statfs "
                    "execve".split(), 0),
    **dict.fromkeys("openat mkdirat newfstatat unlinkat renameat readlinkat faccessat renameat2 "
                    "statx openat2 faccessat2".split(), 1),
}  # fmt: skip
_TIMEOUT_ARGUMENT = {"poll": 2, "epoll_wait": 3, "epoll_pwait": 3}
_TIMEOUT_ADDRESS = {"select": 4, "pselect6": 4, "ppoll": 2, "rt_sigtimedwait": 2}
_DEADLINE_ARGUMENT = {"mq_timedsend": 4, "mq_timedreceive": 4}
_ID_TYPES = {0: "any child", 1: "child {}", 2: "any child of process group {}", 3: "pidfd {}"}


def numbered(text: str) -> tuple[int, tuple[int, ...]] | None:
    """The number and the six arguments of the call; None for a thread that is in none.

    *text* is the file's content: ``running``, ``-1 SP PC``, or ``NR A0 ... A5 SP PC``.
    """
    words = text.split()
    if len(words) < 9:
        return None
    try:
        return int(words[0]), tuple(int(word, 16) for word in words[1:7])
    except ValueError:
        return None


def describe(text: str, fd_name: FdName, processor: Arch | None = None) -> Syscall | None:
    """The call that *text* tells of, or None.

    *processor*: by whose table calls are numbered; None: this machine's.
    """
    call = numbered(text)
    if call is None:
        return None
    number, arguments = call
    name = (processor or arch.of_kernel()).call_name(number)
    fd = signed(arguments[0]) if name in _ON_A_DESCRIPTOR else None
    return Syscall(
        name,
        _detail(name, arguments, fd_name),
        _only_time(name, arguments),
        fd,
        fd_name(fd) if fd is not None else None,
        _timed(name, arguments),
        _timeout_ms(name, arguments),
    )


def _detail(name: str, arguments: tuple[int, ...], fd_name: FdName) -> str | None:
    if name == "futex":
        return _futex(arguments)
    if name == "wait4":
        return _wait4(signed(arguments[0]))
    if name == "waitid":
        return _ID_TYPES.get(arguments[0], "id {}").format(signed(arguments[1]))
    parts = []
    if name in _ON_A_DESCRIPTOR:
        parts.append(_descriptor(signed(arguments[0]), fd_name))
    if name in ("poll", "ppoll"):
        parts.append("1 descriptor" if arguments[1] == 1 else f"{arguments[1]} descriptors")
    if name in _TIMEOUT_ARGUMENT:
        timeout = signed(arguments[_TIMEOUT_ARGUMENT[name]])
        parts.append("no timeout" if timeout < 0 else f"timeout {timeout} ms")
    if name in _TIMEOUT_ADDRESS:
        parts.append("with a timeout" if arguments[_TIMEOUT_ADDRESS[name]] else "no timeout")
    return ", ".join(parts) or None


def _timed(name: str, arguments: tuple[int, ...]) -> bool | None:
    """Whether the call was given a timeout; None: it takes none."""
    if name == "futex":
        return arguments[3] != 0
    if name in _TIMEOUT_ARGUMENT:
        return signed(arguments[_TIMEOUT_ARGUMENT[name]]) >= 0
    address = {**_TIMEOUT_ADDRESS, **_DEADLINE_ARGUMENT}.get(name)
    return None if address is None else arguments[address] != 0


def _timeout_ms(name: str, arguments: tuple[int, ...]) -> int | None:
    if name not in _TIMEOUT_ARGUMENT:
        return None
    timeout = signed(arguments[_TIMEOUT_ARGUMENT[name]])
    return timeout if timeout >= 0 else None


def _only_time(name: str, arguments: tuple[int, ...]) -> bool:
    """Whether a call that could wait for descriptors was given none, but a timeout."""
    if name in ("select", "pselect6"):
        return not any(arguments[:4]) and arguments[4] != 0
    if name in ("poll", "ppoll"):
        timed = arguments[2] != 0 if name == "ppoll" else signed(arguments[2]) >= 0
        return arguments[1] == 0 and timed
    return False


def path_of(call: Syscall, name: str, arguments: tuple[int, ...]) -> int | None:
    """Where in the target's memory the path lies that a call was given.

    None: it takes none, or *name* and *arguments* are of another call than *call*.
    """
    index = _PATH_ARGUMENT.get(call.name)
    same = index is not None and name == call.name and index < len(arguments)
    return arguments[index] if index is not None and same else None


def _futex(arguments: tuple[int, ...]) -> str:
    command = arguments[1] & _FUTEX_COMMAND_MASK
    timeout = ", with a timeout" if arguments[3] else ""
    return f"{_FUTEX_OPERATIONS.get(command, f'operation {command}')} {arguments[0]:#x}{timeout}"


def _wait4(pid: int) -> str:
    if pid > 0:
        return f"child {pid}"
    if pid == -1:
        return "any child"
    return "any child of its process group" if pid == 0 else f"any child of process group {-pid}"


def _descriptor(fd: int, fd_name: FdName) -> str:
    name = fd_name(fd)
    return f"fd {fd}" if name is None else f"fd {fd} {name}"


def signed(argument: int) -> int:
    """A C ``int`` out of a register, whose upper half may hold anything."""
    argument &= 0xFFFF_FFFF
    return argument - (1 << 32) if argument & 0x8000_0000 else argument
