"""Each bound of what the reading of one process may cost, reached on purpose: what is known is
shown all the same, and that something is missing is said."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

import pytest

from hangtui import findings
from hangtui.backends.capture import collector
from hangtui.backends.capture.turns import Turns
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.shares import MISSING, SharedFrames
from hangtui.backends.limits import (
    ASKED,
    MANY,
    SEVERAL,
    BudgetSpentError,
    Limits,
    Spending,
    limits_for,
)
from hangtui.model import Capture, Severity
from hangtui.provider import CaptureRequest
from tests.hostile.programs import running
from tests.notices import told

SELF_DEADLOCK = """
import asyncio, threading
lock = threading.Lock()
def worker(number):
    if number:
        worker(number - 1)
    else:
        with lock:
            print("ready")
            lock.acquire()
def loop():
    async def wait():
        await asyncio.gather(*(asyncio.create_task(asyncio.Event().wait()) for _ in range(50)))
    asyncio.run(wait())
threading.Thread(target=loop, daemon=True).start()
worker(60)
"""
TINY: dict[str, Any] = {
    "seconds": 0.0,
    "frames": 0,
    "objects": 100,
    "steps": 100,
    "symbol_bytes": 1000,
    "kept_bytes": 1000,
    "fetched_bytes": 20_000,
    "map_bytes": 2000,
}
REASSURING = {"idle", "alive", "quiet", "lock-contention", "nobody-left-to-wake", "orphaned-lock"}


@pytest.fixture(scope="module")
def target() -> Iterator[int]:
    with running(SELF_DEADLOCK) as pid:
        yield pid


def captured(pid: int, limits: Limits, monkeypatch: pytest.MonkeyPatch) -> Capture:
    monkeypatch.setattr(collector, "limits_for", lambda **_: limits)
    *_, capture = collector.collect(CaptureRequest((pid,)))
    return capture


@pytest.mark.parametrize("bound", TINY)
def test_a_bound_that_is_reached_is_said(
    bound: str, target: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = replace(ASKED, frames_each=20, **{bound: TINY[bound]})
    capture = captured(target, limits, monkeypatch)
    (process,) = capture.processes
    found = findings.run(capture)

    assert process.incomplete
    assert [notice.message for notice in capture.notices if notice.pid == target]
    assert len(process.threads) == 2
    assert all(thread.still is not None for thread in process.threads)
    assert not REASSURING & {finding.id for finding in found}
    assert all(one.severity is not Severity.ERROR for one in found)


@pytest.mark.parametrize("limits", [ASKED, SEVERAL, MANY], ids=["asked", "several", "many"])
def test_an_ordinary_process_stays_far_from_every_bound(
    limits: Limits, target: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    capture = captured(target, limits, monkeypatch)
    (process,) = capture.processes

    assert process.incomplete == ()
    assert told(capture.notices) == []
    assert "self-deadlock" in {finding.id for finding in findings.run(capture)}


def test_many_processes_may_cost_less_each() -> None:
    assert limits_for(asked=True, count=1) is ASKED
    assert limits_for(asked=True, count=100) is SEVERAL
    assert limits_for(asked=False, count=1) is MANY


@pytest.mark.parametrize("children", [True, False])
def test_who_is_read_alone_has_more_time_also_where_children_may_come(
    children: bool, target: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Turns] = []

    def turns(*, many: bool, all: bool) -> Turns:  # noqa: A002  as it is called there
        made.append(Turns(many, all))
        return made[-1]

    monkeypatch.setattr(collector, "Turns", turns)
    for _ in collector.collect(CaptureRequest((target,), children=children)):
        pass

    (turn,) = made
    assert turn.first(2) == turn.rest(2) == Turns(many=False).rest(2)


def test_threads_share_the_frames_that_may_be_read() -> None:
    walks = {key: iter([_Numbered(n) for n in range(size)]) for key, size in SIZES.items()}
    spent = Spending(replace(ASKED, frames=300, frames_each=10))

    read = SharedFrames(spent, len(SIZES)).read(cast("dict[int, Iterator[Frame]]", walks))
    sizes = {key: len(stack) for key, stack in read.items()}

    assert sizes == {1: 5, 2: 40, 3: 147, 4: 147}
    assert cast("object", read[3][0]) == _Numbered(0)
    assert spent.reached[MISSING][1] == (
        "its Python frames were read up to 339 of all threads, the innermost first"
    )


def test_all_frames_are_read_where_they_are_not_too_many() -> None:
    walks = {key: iter([_Numbered(n) for n in range(size)]) for key, size in SIZES.items()}
    spent = Spending(ASKED)

    read = SharedFrames(spent, len(SIZES)).read(cast("dict[int, Iterator[Frame]]", walks))

    assert {key: len(stack) for key, stack in read.items()} == SIZES
    assert spent.reached == {}


def test_time_in_which_others_are_read_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    spent = Spending(replace(ASKED, seconds=5))
    with spent.clock():
        now[0] += 4
        spent.check()
    now[0] += 1000
    with spent.clock():
        now[0] += 0.9
        spent.check()
        now[0] += 0.2
        with pytest.raises(BudgetSpentError, match="longer than 5 s"):
            spent.check()
    with spent.clock(least_s=1.0):
        now[0] += 0.9
        spent.check()


SIZES = {1: 5, 2: 40, 3: 1000, 4: 1000}


@dataclass(frozen=True)
class _Numbered:
    """Stands for a frame."""

    number: int
