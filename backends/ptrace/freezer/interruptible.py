"""Which sleeping threads a tracer leaves alone: their system call would fail with EINTR.

Most calls go on by themselves after a stop. Those of signal(7), "Interruption of system calls and
library functions by stop signals", do not, nor do these: a socket may have a timeout, which
nobody can see from outside; a write that is partly done returns short; what a driver's ioctl does
is its own affair.
"""

import os

from hangtui.backends.arch import of_kernel

ALWAYS = frozenset(
    "epoll_wait epoll_pwait epoll_pwait2 semop semtimedop rt_sigtimedwait "
    "io_getevents io_pgetevents io_uring_enter connect accept accept4 "
    "sendto recvfrom sendmsg recvmsg recvmmsg sendmmsg write pwrite64 writev pwritev pwritev2 "
    "sendfile splice tee vmsplice copy_file_range ioctl".split()
)
READS = frozenset("read pread64 readv preadv preadv2".split())
"""They may be given a socket."""
_CALLS = of_kernel().calls
_EINTR = (1 << 64) - 4
_RESTARTED = ("pipe:", "anon_inode:", "/dev/pts/", "/dev/tty")
"""What a read of goes on by itself after a stop."""
RUNNING = "running"


class Look:
    """A thread's ``syscall`` file, kept open: the last look comes right before the stop.

    Raises:
        OSError: the thread is gone, or may not be looked at.
    """

    def __init__(self, pid: int, tid: int) -> None:
        self._folder = f"/proc/{pid}/task/{tid}"
        self._file = os.open(f"{self._folder}/syscall", os.O_RDONLY | os.O_CLOEXEC)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)

    def words(self) -> list[str]:
        """``NR A0 ... A5 SP PC``, ``-1 SP PC``, or ``running``; nothing if the thread is gone."""
        try:
            return os.pread(self._file, 256, 0).decode("ascii", "replace").split()
        except OSError:
            return []

    def must_not_stop(self, words: list[str]) -> bool:
        """Whether user code would notice a stop here."""
        if not words or words[0] == RUNNING:
            return False
        number = int(words[0])
        name = _CALLS.get(number)
        if name is None:  # of one that is not known nobody can tell
            return number >= 0 and not _CALLS
        return name in ALWAYS or (name in READS and not self._reads_again(words[1]))

    def _reads_again(self, descriptor: str) -> bool:
        try:
            return os.readlink(f"{self._folder}/fd/{int(descriptor, 16)}").startswith(_RESTARTED)
        except OSError:
            return False


def was_interrupted(number: int, result: int) -> bool:
    """Whether a stopped thread's registers show a call that now fails with EINTR (4)."""
    return result == _EINTR and _CALLS.get(number) in ALWAYS | READS
