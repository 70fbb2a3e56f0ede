"""Python locks of really hanging processes, on the CPythons of this machine."""

from pathlib import Path

import pytest

from hangtui.model import Certainty, NodeKind, Severity
from tests.integration.capturing import Captured, Diagnosis, diagnose
from tests.integration.targets import Target, running


@pytest.fixture
def tellers(captured: Captured, python: Path) -> tuple[Diagnosis, Target]:
    """Two threads that take two locks in opposite order."""
    return captured("abba", python)


@pytest.mark.every_python
def test_two_locks_in_opposite_order_are_one_proven_cycle(
    tellers: tuple[Diagnosis, Target],
) -> None:
    found, target = tellers
    assert found.members(NodeKind.LOCK) == {
        "checking.lock (threading.Lock)",
        "savings.lock (threading.Lock)",
    }
    threads = found.members(NodeKind.THREAD)
    assert {label.split()[0] for label in threads} == {"teller-1", "teller-2"}
    assert found.certainties() == {Certainty.CERTAIN, Certainty.PROVEN}
    holds = [edge for edge in found.cycle().edges if edge.relation == "held-by"]
    assert [hold.evidence.certainty for hold in holds] == [Certainty.PROVEN] * 2
    taken = target.line("with source.lock")
    awaited = target.line("with target.lock")
    assert {hold.evidence.where for hold in holds} == {f"abba.py:{taken}"}
    waits = [edge for edge in found.cycle().edges if edge.relation == "waits-for"]
    assert {wait.evidence.where for wait in waits} == {f"abba.py:{awaited}"}
    finding = found.finding("deadlock")
    assert finding.severity is Severity.ERROR
    words = " ".join((finding.title, finding.sentence, *finding.evidence))
    for word in ("teller-1", "teller-2", f"abba.py:{taken}", f"abba.py:{awaited}", ".lock"):
        assert word in words


@pytest.mark.every_python
def test_the_main_thread_waits_for_the_end_of_a_member(
    tellers: tuple[Diagnosis, Target],
) -> None:
    found, _ = tellers
    wait = found.graph.wait_of(found.thread("MainThread").id)
    assert wait is not None
    assert wait.target == found.thread("teller-1").id
    assert found.graph.behind(found.cycle()) == (found.thread("MainThread").id,)


@pytest.mark.every_python
@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ((), ("locks['stock']", "locks['orders']")),
        (("kept weakly by an object",), ("Tables._locks['stock']", "Tables._locks['orders']")),
        (("by number",), ("locks[3]", "locks[4]")),
    ],
)
def test_locks_of_a_dict_are_called_by_their_keys(
    python: Path, arguments: tuple[str, ...], names: tuple[str, ...]
) -> None:
    """Not by the variables of the library that enters them."""
    with running("stack_abba", python, arguments=arguments) as target:
        found = diagnose(target.pid)
    assert {label.partition(" (")[0] for label in found.members(NodeKind.LOCK)} == set(names)
    assert found.finding("deadlock").severity is Severity.ERROR


@pytest.mark.every_python
def test_locks_of_classes_and_of_what_objects_have_are_called_by_their_attributes(
    python: Path,
) -> None:
    with running("class_locks", python) as target:
        found = diagnose(target.pid)
    assert {label.partition(" (")[0] for label in found.members(NodeKind.LOCK)} == {
        "Price.lock",
        "Store.guard",
    }


@pytest.mark.every_python
def test_reentrant_locks_name_their_owners_without_a_with(python: Path) -> None:
    with running("rlock_abba", python) as target:
        found = diagnose(target.pid)
    assert found.members(NodeKind.RLOCK) == {
        "index_lock (threading.RLock)",
        "journal_lock (threading.RLock)",
    }
    assert found.certainties() == {Certainty.CERTAIN}
    assert found.finding("deadlock").severity is Severity.ERROR


def test_a_thread_that_takes_its_own_lock_again(python: Path) -> None:
    with running("self_deadlock", python) as target:
        found = diagnose(target.pid)
    main = found.thread("MainThread")
    wait = found.graph.wait_of(main.id)
    assert wait is not None
    assert set(found.cycle().nodes) == {main.id, wait.target}
    finding = found.finding("self-deadlock")
    assert finding.severity is Severity.ERROR
    words = " ".join((finding.sentence, *finding.evidence))
    taken = target.line("self.put(") - 1
    assert "Cache.lock" in words
    assert f"self_deadlock.py:{taken}" in words


def test_a_wait_that_gives_up_is_no_deadlock(python: Path) -> None:
    with running("timed_abba", python) as target:
        found = diagnose(target.pid)
    waits = [w for w in found.capture.waits if w.target.startswith("lock:")]
    assert len(waits) == 2
    assert all(wait.expires for wait in waits)
    assert found.graph.cycles == ()
    assert [f for f in found.findings if f.severity is Severity.ERROR] == []
    assert found.finding("ring-with-timeout").severity is Severity.WARNING


@pytest.mark.every_python
def test_python_frames_lines_and_thread_names(tellers: tuple[Diagnosis, Target]) -> None:
    found, target = tellers
    teller = found.thread("teller-1")
    assert teller.python_stack is not None
    innermost = teller.python_stack[0]
    assert innermost.function == "transfer"
    assert innermost.line == target.line("with target.lock")
    names = [frame.function.rsplit(".", 1)[-1] for frame in teller.python_stack]
    assert names == ["transfer", "run", "_bootstrap_inner", "_bootstrap"]
    assert {thread.name for thread in found.capture.threads()} == {
        "MainThread",
        "teller-1",
        "teller-2",
    }
    assert all(thread.still for thread in found.capture.threads())


@pytest.mark.every_python
def test_the_only_thread_hangs_in_a_constructor(python: Path) -> None:
    with running("in_constructor", python) as target:
        found = diagnose(target.pid)
    (thread,) = found.capture.threads()
    functions = [frame.function.rpartition(".")[2] for frame in thread.python_stack or ()]
    assert functions == ["__init__", "load", "<module>"]
    assert found.certainties() == {Certainty.CERTAIN, Certainty.PROVEN}
    text = found.finding("self-deadlock").sentence
    for mark in ("first", "again"):
        assert f"in_constructor.py:{target.line(f'# {mark}')}" in text
