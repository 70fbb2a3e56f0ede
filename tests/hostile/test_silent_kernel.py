"""What the kernel never answers, because the process has seen to it, costs what was asked alone."""

import gc
import os
import socket
from pathlib import Path

from hangtui.backends.capture.collector import collect
from hangtui.backends.ipc.deputy import Deputy
from hangtui.provider import CaptureRequest
from tests.hostile.misbehaving import attacker, look, silent_files

_LOCKED_SET = """
import ctypes, mmap, os, select, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
fd = os.open(sys.argv[1], os.O_RDONLY)
at = libc.mmap(None, ctypes.c_size_t(4096), 3, mmap.MAP_PRIVATE, fd, ctypes.c_long(0))
ep, (r, w) = select.epoll(), os.pipe()
ep.register(r, select.EPOLLIN)
os.write(w, b"x")
# The set's lock is held while events are written to a page that never comes.
threading.Thread(target=lambda: libc.epoll_wait(ep.fileno(), ctypes.c_void_p(at), 1, -1),
                 daemon=True).start()
tasks = "/proc/self/task"
while not any("request_wait" in open(f"{tasks}/{t}/wchan").read() for t in os.listdir(tasks)):
    time.sleep(0.01)
print("ready", ep.fileno(), flush=True)
time.sleep(600)
"""
_READS = """
import os, sys
fd = os.open(sys.argv[1], os.O_RDONLY)
print("ready", fd, flush=True)
os.read(fd, 1)
"""
_INNOCENT = """
import socket
one, other = socket.socketpair()
print("ready", flush=True)
one.recv(1)
"""


def test_a_set_of_descriptors_whose_lock_is_never_given_back(tmp_path: Path) -> None:
    with silent_files(tmp_path, "read") as (file, end), attacker(
        _LOCKED_SET, file, before_end=end
    ) as hostile, attacker(_INNOCENT) as innocent:  # fmt: skip
        found = look(hostile.pid, innocent.pid)
        said = found.notices(hostile.pid)
    assert "the kernel gives no answer about what it has open" in said
    assert any(w.waiter.startswith(f"thread:{innocent.pid}:") for w in found.capture.waits)
    assert found.took_s < 10


def test_a_file_whose_status_never_comes(tmp_path: Path) -> None:
    with silent_files(tmp_path, "read", "getattr") as (file, end), attacker(
        _READS, file, before_end=end
    ) as hostile:  # fmt: skip
        found = look(hostile.pid)
        said = found.notices(hostile.pid)
    assert "the kernel gives no answer about what it has open" in said
    assert found.took_s < 10


def test_a_file_in_place_of_a_socket_that_cannot_be_closed(tmp_path: Path) -> None:
    """As when it is swapped between our look and our question."""
    silent: list[int] = []
    deputy = Deputy(silent.append)
    with silent_files(tmp_path, "read", "flush") as (file, end), attacker(
        _READS, file, before_end=end
    ) as hostile:  # fmt: skip
        fd = int(hostile.words[0])
        assert deputy.has_timeout(hostile.pid, fd, socket.SO_RCVTIMEO) is None
        assert silent == [hostile.pid]
        assert deputy.details(hostile.pid, fd) == ""  # nothing more is asked about it
        assert "flags" in deputy.details(os.getpid(), 0)
    assert silent == [hostile.pid]


def test_after_three_silent_processes_nobody_is_asked() -> None:
    deputy = Deputy()
    deputy._distrusted |= {1, 2, 3}
    assert deputy.details(os.getpid(), 0) == ""


def test_whoever_was_asked_has_ended_after_each_capture() -> None:
    """Also without the garbage collector, which may take its time."""
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    gc.disable()
    try:
        with attacker(_INNOCENT) as innocent:
            before = children.read_text().split()
            captures = list(collect(CaptureRequest((innocent.pid,))))
            after = children.read_text().split()
    finally:
        gc.enable()
    assert captures[-1].waits
    assert set(after) <= set(before)
