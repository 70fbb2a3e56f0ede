"""Who reads a timerfd waits for the clock, or for whoever arms it."""

import ctypes
import os

import pytest

from hangtui.backends.facts import Facts
from hangtui.backends.ipc import timerfds
from hangtui.backends.ipc.channel_calls import Access, Demand
from hangtui.backends.ipc.peer import Peer, Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.model import NoHolder, Process, Thread
from tests.unit.backends.fakes import LiteralMemory

PID = os.getpid()
THREAD = Thread(PID, PID, "MainThread", "S", still=True)
_CLOCK_MONOTONIC = 1


def armed(first: int, interval: int) -> int:
    """A new one, times in seconds."""
    libc = ctypes.CDLL(None, use_errno=True)
    number = int(libc.timerfd_create(_CLOCK_MONOTONIC, 0))
    times = (ctypes.c_long * 4)(interval, 0, first, 0)
    assert libc.timerfd_settime(number, 0, times, None) == 0
    return number


@pytest.mark.parametrize(
    ("first", "interval", "name", "expires"),
    [
        (0, 3, "timerfd {}, which is not armed, though its interval is 3 s", False),
        (0, 0, "timerfd {}, which is not armed", False),
        (600, 0, "timerfd {}", True),
    ],
)
def test_who_ends_it(first: int, interval: int, name: str, expires: bool) -> None:
    number = armed(first, interval)
    try:
        where = BlockedThread("read", (number, 0, 0, 0, 0, 0), 0, 0)
        process = Process(PID, 1, ("worker",), "S", threads=(THREAD,))
        memory = LiteralMemory((0x1000, b""))
        peer = Peer(process, memory, {PID: where}, frozenset(), lambda _: None)
        facts = Facts()
        scene = Scene({PID: peer}, facts)
        link = os.readlink(f"/proc/self/fd/{number}")
        demand = Demand(number, Access.READ, "read", polled=False)

        assert timerfds.add(scene, Sleeper(peer, PID, where), demand, link)
        scene.descriptors.close()
    finally:
        os.close(number)

    (wait,), (resource,) = facts.waits, facts.resources.values()
    assert (wait.operation, wait.expires) == ("timer", expires)
    assert resource.name == name.format(number)
    assert (resource.no_holder is NoHolder.UNARMED) == (interval > 0)
