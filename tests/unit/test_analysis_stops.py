from hangtui.analysis.stops import ENDED, READS, ended_by_a_stop
from hangtui.backends.ptrace.freezer import interruptible
from hangtui.model import Syscall
from tests.unit.factories import thread


def test_the_calls_are_those_that_the_guard_leaves_alone() -> None:
    assert interruptible.ALWAYS == ENDED
    assert interruptible.READS == READS


def test_threads_are_counted_by_call() -> None:
    threads = [
        thread("a", syscall=Syscall("epoll_wait")),
        thread("b", syscall=Syscall("epoll_wait")),
        thread("c", syscall=Syscall("read", "fd 3 socket:[7]", fd=3, file="socket:[7]")),
        thread("d", syscall=Syscall("read", "fd 4 pipe:[12]", fd=4, file="pipe:[12]")),
        thread("e", syscall=Syscall("futex")),
        thread("f"),
    ]

    assert ended_by_a_stop(threads) == {"epoll_wait": 2, "read": 1}
