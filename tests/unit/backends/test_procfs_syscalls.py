from dataclasses import replace

import pytest

from hangtui.backends.arch import AARCH64, X86_64, of_machine
from hangtui.backends.procfs.syscalls import describe, numbered, path_of
from hangtui.model import Syscall

TAIL = "0x0 0x0 0x0 0x7ffc00000000 0x7f0000000000"


def fd_name(fd: int) -> str | None:
    return {3: "pipe:[77]"}.get(fd)


@pytest.mark.parametrize("text", ["running", "-1 0x7ffc 0x7f00", "", "garbage"])
def test_a_thread_in_no_call_has_none(text: str) -> None:
    assert numbered(text) is None
    assert describe(text, fd_name) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"0 0x3 0x7f00 0x10 {TAIL}", Syscall("read", "fd 3 pipe:[77]", fd=3, file="pipe:[77]")),
        (f"45 0x9 0x7f00 0x10 {TAIL}", Syscall("recvfrom", "fd 9", fd=9)),
        ("242 0x3 0x7f00 0x5 0x0 0x0 0x0 0x1 0x2",
         Syscall("mq_timedsend", "fd 3 pipe:[77]", fd=3, file="pipe:[77]", timed=False)),
        ("243 0x3 0x7f00 0x5 0x0 0x7f08 0x0 0x1 0x2",
         Syscall("mq_timedreceive", "fd 3 pipe:[77]", fd=3, file="pipe:[77]", timed=True)),
        (f"202 0x7f00 0x80 0x2 {TAIL}", Syscall("futex", "wait 0x7f00", timed=False)),
        ("202 0x7f00 0x189 0x0 0x7ffc10 0x0 0x0 0x1 0x2",
         Syscall("futex", "wait_bitset 0x7f00, with a timeout", timed=True)),
        (f"202 0x7f00 0x86 0x0 {TAIL}", Syscall("futex", "lock_pi 0x7f00", timed=False)),
        (f"61 0xffffffff 0x0 0x0 {TAIL}", Syscall("wait4", "any child")),
        (f"61 0xffffffffffffffff 0x0 0x0 {TAIL}", Syscall("wait4", "any child")),
        (f"61 0x2a 0x0 0x0 {TAIL}", Syscall("wait4", "child 42")),
        (f"247 0x1 0x2a 0x0 {TAIL}", Syscall("waitid", "child 42")),
        (f"7 0x7f00 0x1 0xffffffff {TAIL}",
         Syscall("poll", "1 descriptor, no timeout", timed=False)),
        ("232 0x3 0x7f00 0x10 0x3e8 0x0 0x0 0x1 0x2",
         Syscall(
             "epoll_wait", "fd 3 pipe:[77], timeout 1000 ms", fd=3, file="pipe:[77]", timed=True,
             timeout_ms=1000
         )),
        (f"35 0x7f00 0x0 0x0 {TAIL}", Syscall("nanosleep", None)),
        ("270 0x0 0x0 0x0 0x0 0x7f00 0x0 0x1 0x2",
         Syscall("pselect6", "with a timeout", True, timed=True)),
        ("23 0x4 0x7f00 0x0 0x0 0x7f00 0x0 0x1 0x2",
         Syscall("select", "with a timeout", timed=True)),
        ("23 0x0 0x0 0x0 0x0 0x0 0x0 0x1 0x2", Syscall("select", "no timeout", timed=False)),
        (f"7 0x0 0x0 0x1f4 {TAIL}",
         Syscall("poll", "0 descriptors, timeout 500 ms", True, timed=True, timeout_ms=500)),
        (f"271 0x0 0x0 0x0 {TAIL}", Syscall("ppoll", "0 descriptors, no timeout", timed=False)),
        (f"999 0x0 0x0 0x0 {TAIL}", Syscall("syscall 999", None)),
    ],
)  # fmt: skip
def test_calls_in_words(text: str, expected: Syscall) -> None:
    assert describe(text, fd_name, X86_64) == expected


def test_each_processor_has_its_own_numbers() -> None:
    text = f"63 0x3 0x0 0x0 {TAIL}"

    read = Syscall("read", "fd 3 pipe:[77]", fd=3, file="pipe:[77]")
    assert describe(text, fd_name, AARCH64) == replace(read, only_time=False)
    assert describe(text, fd_name, of_machine(243)) == Syscall("syscall 63")


def test_where_the_path_of_a_call_lies() -> None:
    assert path_of(Syscall("openat"), "openat", (3, 0x7F00, 0)) == 0x7F00
    assert path_of(Syscall("stat"), "stat", (0x7F00, 0)) == 0x7F00
    assert path_of(Syscall("read"), "read", (3, 0x7F00, 9)) is None
    assert path_of(Syscall("openat"), "read", (3, 0x7F00, 9)) is None, "another call by now"
    assert path_of(Syscall("openat"), "openat", ()) is None, "no arguments are known"
