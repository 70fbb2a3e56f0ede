"""Locks of C libraries, alone and against the GIL, in really hanging processes."""

from pathlib import Path

import pytest

from hangtui import findings
from hangtui.analysis.merge import merge
from hangtui.cli.series import Looks, take
from hangtui.model import Certainty, GilState, NodeKind, Severity, Thread
from hangtui.provider import CaptureRequest
from tests.integration.capturing import Captured, diagnose
from tests.integration.results import record, record_cycle
from tests.integration.targets import running

pytestmark = pytest.mark.usefixtures("compiler")


def _functions(thread: Thread) -> list[str | None]:
    return [frame.function for frame in thread.native_stack or ()]


@pytest.mark.every_python
@pytest.mark.usefixtures("with_gil")
def test_a_rwlock_and_the_gil_wait_for_each_other(
    python: Path, python_version: str, captured: Captured
) -> None:
    found, target = captured("rwlock_gil", python)
    record_cycle("rwlock_gil", python_version, found)
    main, launcher = found.thread("MainThread"), found.thread("launcher")
    kinds = [found.graph.node(node).kind for node in found.cycle().nodes]  # type: ignore[union-attr]
    assert sorted(kinds) == [NodeKind.GIL, NodeKind.RWLOCK, NodeKind.THREAD, NodeKind.THREAD]
    assert {main.id, launcher.id} < set(found.cycle().nodes)
    assert found.certainties() == {Certainty.CERTAIN}
    assert (main.gil, launcher.gil) == (GilState.HOLDS, GilState.WAITS)
    finding = found.finding("deadlock")
    assert finding.severity is Severity.ERROR
    words = " ".join((finding.title, finding.sentence, *finding.evidence))
    callback = target.line("driver.occupancy(")
    blocked = target.line("raw.copy_memory(")
    for word in (
        *("MainThread", "launcher", "GIL", "rwlock", "libfakedriver.so"),
        *(f"rwlock_gil.py:{callback}", f"rwlock_gil.py:{blocked}"),
    ):
        assert word in words


@pytest.mark.every_python
@pytest.mark.usefixtures("with_gil")
def test_native_stacks_align_with_python(python_with_eval_symbol: Path, captured: Captured) -> None:
    found, _ = captured("rwlock_gil", python_with_eval_symbol)
    for thread in found.capture.threads():
        merged = merge(thread)
        assert merged.aligned, merged.reason
    assert "copy_memory" in _functions(found.thread("MainThread"))
    assert "occupancy" in _functions(found.thread("launcher"))
    assert "PyGILState_Ensure" in _functions(found.thread("launcher"))


@pytest.mark.every_python
@pytest.mark.usefixtures("with_gil")
def test_native_stacks_reach_the_start_or_say_that_they_do_not_fit(
    python: Path, captured: Captured
) -> None:
    found, _ = captured("rwlock_gil", python)
    for thread in found.capture.threads():
        assert thread.native_complete
        merged = merge(thread)
        assert merged.aligned != bool(merged.reason)


def test_two_mutexes_in_opposite_order(python: Path, python_version: str) -> None:
    with running("mutex_abba", python) as target:
        found = diagnose(target.pid)
    record_cycle("mutex_abba", python_version, found)
    threads = found.members(NodeKind.THREAD)
    assert {label.split()[0] for label in threads} == {"device-0", "device-1"}
    assert found.members(NodeKind.MUTEX) == {
        "mutex first_mutex in libfakedriver.so",
        "mutex second_mutex in libfakedriver.so",
    }
    assert found.certainties() == {Certainty.CERTAIN}


def test_pthread_join_waits_for_a_thread(python: Path, python_version: str) -> None:
    with running("native_join", python) as target:
        found = diagnose(target.pid)
    (joiner,) = (t for t in found.capture.threads() if t.name == "joiner" and t.is_python)
    wait = found.graph.wait_of(joiner.id)
    assert wait is not None
    joined = found.capture.thread(wait.target)
    assert joined is not None
    assert "sleep_for_good" in _functions(joined)
    assert joined.is_python is False
    record("native_join", NodeKind.THREAD, python_version, wait.evidence.certainty)


@pytest.mark.usefixtures("with_gil")
def test_the_gil_held_while_blocked_in_c(python: Path) -> None:
    with running("gil_blocked", python) as target:
        found = diagnose(target.pid)
    assert found.graph.cycles == ()
    finding = found.finding("gil-held-while-blocked")
    assert finding.severity is Severity.WARNING
    words = " ".join((finding.title, finding.sentence, *finding.evidence))
    for word in ("MainThread", "ticker", "read_pipe", "libfakedriver.so"):
        assert word in words
    assert f"gil_blocked.py:{target.line('raw.read_pipe(')}" in words


@pytest.mark.every_python
@pytest.mark.usefixtures("with_gil")
def test_who_reads_again_behind_a_writer_has_the_first_reading_itself(python: Path) -> None:
    with running("rwlock_read_twice", python) as target:
        found = findings.run(take(CaptureRequest(pids=(target.pid,)), Looks(4, 2.0)))
        reads, within = target.line("# reads again"), target.line("# within the first")
    first = found[0]
    assert (first.id, first.severity) == ("nobody-left-to-wake", Severity.ERROR), first.title
    assert "behind inlet, which waits to write" in first.title
    assert f"rwlock_read_twice.py:{reads}" in first.title
    assert "only MainThread itself can have it for reading, further out" in first.sentence
    assert f"rwlock_read_twice.py:{within}" in first.sentence
