"""What sleeping threads wait for, by the arguments of their calls; and who can act at all."""

import os
import struct
from dataclasses import replace
from io import BytesIO

import pytest

from hangtui.backends.facts import Facts
from hangtui.backends.ipc import channel_calls, ends, multiplexed
from hangtui.backends.ipc.channel_calls import Access, Demand
from hangtui.backends.ipc.descriptors import Descriptors
from hangtui.backends.ipc.peer import Peer, Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.procfs import life
from hangtui.backends.procfs.thread_syscall import BlockedThread
from hangtui.capture_file import packed, read
from hangtui.model import (
    Capture,
    Certainty,
    Evidence,
    NodeKind,
    Process,
    Source,
    Thread,
    Wait,
    process_id,
    thread_id,
)
from tests.unit.backends.fakes import LiteralMemory

PID = 1 << 22
"""Beyond what the kernel gives to processes: nothing of it is in /proc."""
PRIVATE_WAIT, SHARED_WAIT = 0x80, 0x0


@pytest.fixture(autouse=True)
def state(monkeypatch: pytest.MonkeyPatch) -> dict[int, str]:
    """The kernel's letters of threads, which sleep if nothing else is said of them."""
    letters: dict[int, str] = {}
    monkeypatch.setattr(life, "thread_state", lambda _, tid: letters.get(tid, "S"))
    return letters


def blocked(call: str, *arguments: int) -> BlockedThread:
    return BlockedThread(call, (*arguments, *[0] * (6 - len(arguments))), 0, 0)


def peer(
    asleep: dict[int, BlockedThread], memory: bytes = b"", threads: tuple[int, ...] = ()
) -> Peer:
    known = tuple(Thread(PID, tid, f"thread {tid}", "S") for tid in threads or asleep)
    process = Process(PID, 1, ("worker",), "S", threads=known)
    return Peer(process, LiteralMemory((0x1000, memory)), asleep, frozenset(), lambda _: None)


def sleeper(where: BlockedThread, memory: bytes = b"") -> Sleeper:
    return Sleeper(peer({PID: where}, memory), PID, where)


def poll_list(*wanted: tuple[int, int]) -> bytes:
    return b"".join(struct.pack("<ihh", fd, events, 0) for fd, events in wanted)


@pytest.mark.parametrize(
    ("call", "access"),
    [
        ("read", Access.READ),
        ("recvfrom", Access.READ),
        ("write", Access.WRITE),
        ("sendto", Access.WRITE),
    ],
)
def test_calls_that_read_and_write(call: str, access: Access) -> None:
    demand = channel_calls.transfer(blocked(call, 0xFFFF_FFFF_0000_0005))
    assert demand is not None
    assert (demand.fd, demand.access, demand.expires) == (5, access, False)


def test_other_calls_transfer_nothing() -> None:
    assert channel_calls.transfer(blocked("nanosleep")) is None


NEVER = 0xFFFF_FFFF


def polled(
    fd: int, access: Access, *, expires: bool = False, choices: int = 1, call: str = "poll"
) -> Demand:
    return Demand(fd, access, call, expires, polled=True, choices=choices)


READ, WRITE = Access.READ, Access.WRITE


@pytest.mark.parametrize(
    ("entries", "timeout", "demands"),
    [
        ([(4, 1)], NEVER, [polled(4, READ)]),
        ([(4, 4)], 100, [polled(4, WRITE, expires=True)]),
        ([(4, 1), (-1, 1)], NEVER, [polled(4, READ)]),
        ([(4, 0)], NEVER, [polled(4, READ)]),
        ([(4, 1), (5, 1)], NEVER, [polled(4, READ, choices=2), polled(5, READ, choices=2)]),
        ([(4, 5)], 0, [polled(4, access, expires=True, choices=2) for access in (READ, WRITE)]),
        ([(-1, 1)], NEVER, []),
        ([(fd, 1) for fd in range(17)], NEVER, []),
    ],
)
def test_poll(entries: list[tuple[int, int]], timeout: int, demands: list[Demand]) -> None:
    where = blocked("poll", 0x1000, len(entries), timeout)
    assert multiplexed.demands(sleeper(where, poll_list(*entries)), Descriptors()) == demands


@pytest.mark.parametrize(
    ("read", "write", "expected"),
    [
        ({9}, set(), [(9, READ)]),
        (set(), {3}, [(3, WRITE)]),
        ({3}, {3}, [(3, READ), (3, WRITE)]),
        ({3, 70}, set(), [(3, READ), (70, READ)]),
        (set(), set(), []),
    ],
)
def test_select(read: set[int], write: set[int], expected: list[tuple[int, Access]]) -> None:
    sets = b"".join(sum(1 << fd for fd in one).to_bytes(16, "little") for one in (read, write))
    where = blocked("pselect6", 71, 0x1000, 0x1010, 0, 0x2000)
    demands = multiplexed.demands(sleeper(where, sets), Descriptors())
    assert [(demand.fd, demand.access) for demand in demands] == expected
    assert all(demand.expires for demand in demands)


def test_a_list_of_absurd_length_is_not_read() -> None:
    where = blocked("poll", 0x1000, 1 << 40, NEVER)
    assert multiplexed.demands(sleeper(where), Descriptors()) == []


def test_only_private_futexes_without_a_timeout_need_their_own_process() -> None:
    asleep = {
        1: blocked("futex", 0x10, PRIVATE_WAIT),
        2: blocked("futex", 0x10, PRIVATE_WAIT, 0, 0x20),
        3: blocked("futex", 0x10, SHARED_WAIT),
        4: blocked("nanosleep"),
    }
    assert peer(asleep, threads=(1, 2, 3, 4, 5)).able() == (2, 3, 4, 5)


@pytest.mark.parametrize(("letter", "able"), [("T", (1,)), ("t", (1,)), ("X", ())])
def test_who_is_stopped_may_go_on_and_who_is_dead_may_not(
    letter: str, able: tuple[int, ...], state: dict[int, str]
) -> None:
    state[1] = letter
    assert peer({1: blocked("futex", 0x10, PRIVATE_WAIT)}).able() == able


def test_what_the_driver_of_a_gpu_has_started_acts_for_nobody() -> None:
    asleep = {PID + number: blocked("poll", 0, 0, 100) for number in range(3)}
    names = {PID: "python3", PID + 1: "cuda-EvtHandlr", PID + 2: "cuda00001800007"}
    made = peer(asleep)
    for python, able in ((False, {PID}), (True, {PID, PID + 1, PID + 2})):
        threads = tuple(
            replace(one, comm=names[one.tid], is_python=python) for one in made.process.threads
        )
        assert set(replace(made, process=replace(made.process, threads=threads)).able()) == able


def test_a_thread_that_was_started_meanwhile_is_able_to_act() -> None:
    own = os.getpid()
    process = Process(own, 1, ("pytest",), "S")
    assert own in Peer(process, LiteralMemory(), {}, frozenset(), lambda _: None).able()


@pytest.mark.parametrize(
    ("other", "certainty"),
    [
        (blocked("futex", 0x10, PRIVATE_WAIT), Certainty.PROVEN),
        (blocked("nanosleep"), Certainty.INFERRED),
    ],
)
def test_the_end_of_a_process_is_its_main_threads(
    other: BlockedThread, certainty: Certainty
) -> None:
    facts = Facts()
    evidence = Evidence(Source.PROCFS, Certainty.CERTAIN, "waitpid")
    facts.waits.append(Wait(thread_id(1, 1), process_id(PID), evidence))
    main = blocked("futex", 0x10, PRIVATE_WAIT)
    ends.add(Scene({PID: peer({PID: main, PID + 1: other})}, facts))
    (hold,) = facts.holds
    assert (hold.resource, hold.holder) == (f"process:{PID}", f"thread:{PID}:{PID}")
    assert hold.evidence.certainty is certainty


def test_a_process_that_nobody_waits_for_gets_no_edge() -> None:
    facts = Facts()
    ends.add(Scene({PID: peer({PID: blocked("nanosleep")})}, facts))
    assert facts.holds == []


KEYS = [
    "TCP port 127.0.0.1:80/connect",
    "/tmp/a file/lease",
    "/tmp/\u00e9/lease",
    "/tmp/\udcff",
    "x" * 300,
]


def test_what_anything_may_be_called_gets_a_name_that_a_file_can_hold() -> None:
    facts, where = Facts(), sleeper(blocked("nanosleep"))
    scene = Scene({}, facts)
    for key in [*KEYS, *KEYS, "0x12/read", "a\u0301", "\u00e1"]:
        scene.resource(NodeKind.SOCKET, key, "label", where)
    assert len(facts.resources) == len(KEYS) + 3
    assert "socket:0:0x12/read" in facts.resources
    capture = Capture("2026-01-01T00:00:00+00:00", "host", resources=(*facts.resources.values(),))
    assert read(BytesIO(packed(capture))).resources == capture.resources
