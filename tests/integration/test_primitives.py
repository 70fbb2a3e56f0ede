"""Every primitive of the C and C++ libraries: what is awaited, who has it, how surely it is known.

The target is a C++ program; with script/fetch-pythons it runs on the newest C library as well.
"""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from hangtui.model import Certainty, NodeKind, Severity
from tests.integration.capturing import Diagnosis, diagnose
from tests.integration.conftest import _FOUND
from tests.integration.targets import Target, running
from tests.waiting import until

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ to build the target")

_NEWEST = Path(__file__).parents[2] / ".pythons" / "root" / "usr" / "lib" / "x86_64-linux-gnu"
_LIBRARIES = [(), *([(str(_NEWEST),)] if (_NEWEST / "libc.so.6").exists() else [])]
CERTAIN, INFERRED, UNKNOWN = Certainty.CERTAIN, Certainty.INFERRED, Certainty.UNKNOWN


@dataclass(frozen=True, slots=True)
class Expected:
    """What is to be said of one waiter."""

    kind: NodeKind
    holder: str | None = None
    """Name of the thread that has it; None: nobody is to be named."""
    certainty: Certainty = CERTAIN
    """Of the holder, or of the wait where there is none."""
    expires: bool = False


MUTEX, RWLOCK, THREAD, ONCE = NodeKind.MUTEX, NodeKind.RWLOCK, NodeKind.THREAD, NodeKind.ONCE
FUTEX = NodeKind.FUTEX
EVERYWHERE = {
    "normal": Expected(MUTEX, "h normal"),
    "recursive": Expected(MUTEX, "h recursive"),
    "errorcheck": Expected(MUTEX, "h errorcheck"),
    "adaptive": Expected(MUTEX, "h adaptive"),
    "inherit": Expected(MUTEX, "h inherit"),
    "robust": Expected(MUTEX, "h robust"),
    "shared": Expected(MUTEX, "h shared"),
    "timed": Expected(MUTEX, "h timed", expires=True),
    "std mutex": Expected(MUTEX, "h std mutex"),
    "std recursive": Expected(MUTEX, "h std recursive"),
    "std timed": Expected(MUTEX, "h std timed", expires=True),
    "rw write": Expected(RWLOCK, "h rw written"),
    "rw readers": Expected(RWLOCK),
    "rw read": Expected(RWLOCK, "h rw behind"),
    "rw first": Expected(RWLOCK),
    "rw second": Expected(RWLOCK),
    "rw queued": Expected(RWLOCK),
    "sm read": Expected(RWLOCK, "h sm written"),
    "sm readers": Expected(RWLOCK),
    "condition": Expected(NodeKind.CONDITION),
    "timed cond": Expected(NodeKind.CONDITION, expires=True),
    "semaphore": Expected(NodeKind.SEMAPHORE),
    "barrier": Expected(NodeKind.BARRIER),
    "future": Expected(NodeKind.FUTURE),
    "join": Expected(THREAD, "h joined"),
    "std join": Expected(THREAD, "h std joined"),
    "stdio": Expected(NodeKind.STDIO, "h stdio"),
    "dlopen": Expected(MUTEX, "h dlopen"),
    "rust": Expected(FUTEX, certainty=UNKNOWN),
    "rust tid": Expected(FUTEX, certainty=UNKNOWN),
    "like mutex": Expected(FUTEX, certainty=UNKNOWN),
    "like guard": Expected(FUTEX, certainty=UNKNOWN),
    "like stdio": Expected(FUTEX, certainty=UNKNOWN),
}
PLAIN = {
    "once": Expected(ONCE, "h once", INFERRED),
    "guard": Expected(ONCE, "h guard", INFERRED),
}
NESTED = {"nested": Expected(MUTEX, "h nested")}


@pytest.fixture(
    scope="module", params=_LIBRARIES, ids=["this C library", "newest"][: len(_LIBRARIES)]
)
def library(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """Where the C library is that the target runs on; empty: this machine's."""
    folder: tuple[str, ...] = request.param
    return folder


@pytest.fixture(scope="module")
def plain(library: tuple[str, ...]) -> Iterator[Diagnosis]:
    """The target as it was captured."""
    with running("primitives", _FOUND[-1].path, arguments=("plain", *library)) as target:
        yield diagnose(target.pid)


@pytest.mark.parametrize("name", [*EVERYWHERE, *PLAIN])
def test_a_primitive(name: str, plain: Diagnosis) -> None:
    _check(plain, name, {**EVERYWHERE, **PLAIN}[name])


def test_readers_are_counted(plain: Diagnosis) -> None:
    for name in ("rw readers", "sm readers"):
        wait = plain.graph.wait_of(plain.thread(f"w {name}").id)
        assert wait is not None
        resource = plain.capture.resource(wait.target)
        assert resource is not None
        assert resource.note == "held by 1 reader(s), which glibc does not record"


def test_who_waits_behind_a_writer_is_told_so(plain: Diagnosis) -> None:
    waits = {
        name: plain.graph.wait_of(plain.thread(f"w rw {name}").id)
        for name in ("first", "second", "queued")
    }
    texts = {name: wait.evidence.text if wait else "" for name, wait in waits.items()}
    assert len({wait.target for wait in waits.values() if wait}) == 1
    assert "behind" not in texts["first"]
    assert "behind another writer" in texts["second"]
    assert "this lock lets writers go first" in texts["queued"]


def test_nothing_is_called_a_deadlock(plain: Diagnosis) -> None:
    assert plain.graph.cycles == ()
    assert [f for f in plain.findings if f.severity is Severity.ERROR] == []


def test_the_innermost_primitive_counts(library: tuple[str, ...]) -> None:
    with running("primitives", _FOUND[-1].path, arguments=("nested", *library)) as target:
        found = diagnose(target.pid)
    for name, expected in NESTED.items():
        _check(found, name, expected)


def _check(found: Diagnosis, name: str, expected: Expected) -> None:
    wait = found.graph.wait_of(found.thread(f"w {name}").id)
    assert wait is not None
    assert wait.expires is expected.expires
    node = found.graph.node(wait.target)
    assert node is not None
    assert node.kind is expected.kind
    if expected.kind is THREAD:
        assert (node.id, wait.evidence.certainty) == (
            found.thread(expected.holder or "").id,
            expected.certainty,
        )
        return
    holds = [(edge.target, edge.evidence.certainty) for edge in found.graph.holders_of(node.id)]
    if expected.holder is None:
        assert holds == []
        assert wait.evidence.certainty is expected.certainty
    else:
        assert holds == [(found.thread(expected.holder).id, expected.certainty)]


def test_spinlocks_and_openmp_name_nobody() -> None:
    """A spinlock asks nobody, so it is not even seen; OpenMP's locks record no owner."""
    with running("spinners", _FOUND[-1].path, asleep=False) as target:
        _await_sleep_of(target, ("w omp lock", "w omp barrier"))
        found = diagnose(target.pid)
    spinning = found.thread("w spin")
    assert spinning.still is False
    assert found.graph.waits_of(spinning.id) == ()
    for name in ("w omp lock", "w omp barrier"):
        wait = found.graph.wait_of(found.thread(name).id)
        assert wait is not None
        assert wait.evidence.certainty is UNKNOWN
        assert found.graph.holders_of(wait.target) == ()
    assert found.graph.cycles == ()
    assert [f for f in found.findings if f.severity is Severity.ERROR] == []


def _await_sleep_of(target: Target, names: tuple[str, ...]) -> None:
    def asleep() -> bool:
        tasks = list(Path(f"/proc/{target.pid}/task").iterdir())
        calls = {(task / "comm").read_text().strip(): (task / "syscall") for task in tasks}
        return all(name in calls and calls[name].read_text().startswith("202 ") for name in names)

    until(asleep)
