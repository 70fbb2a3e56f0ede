"""Which system calls a debugger's stop ends early: signal(7), and what the guard leaves alone."""

from collections import Counter
from collections.abc import Iterable

from hangtui.model import Thread

ENDED = frozenset(
    "epoll_wait epoll_pwait epoll_pwait2 semop semtimedop rt_sigtimedwait io_getevents "
    "io_pgetevents io_uring_enter connect accept accept4 sendto recvfrom sendmsg recvmsg recvmmsg "
    "sendmmsg write pwrite64 writev pwritev pwritev2 sendfile splice tee vmsplice copy_file_range "
    "ioctl".split()
)
"""They fail with EINTR, or return short; those on sockets only if the socket has a timeout."""
READS = frozenset("read pread64 readv preadv preadv2".split())
"""The same where they read from a socket."""


def ended_by_a_stop(threads: Iterable[Thread]) -> Counter[str]:
    """The calls that threads are in and that may end early if they are stopped; how many each."""
    calls = [thread.syscall for thread in threads if thread.syscall is not None]
    return Counter(
        call.name for call in calls if call.name in ENDED or (call.name in READS and call.on_socket)
    )
