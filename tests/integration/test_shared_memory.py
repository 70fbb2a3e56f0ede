"""Processes that wait for each other in memory that they share: mutexes, semaphores, locks."""

import ctypes
import re
from pathlib import Path

import pytest

from hangtui.backends.process.processes import children
from hangtui.model import Certainty, NodeKind, Severity
from tests.integration.families import (
    MUTEX,
    PROCESS,
    THREAD,
    diagnose,
    family,
    label,
    main_wait,
    pids,
    ring,
    words,
)
from tests.integration.results import record_cycle


def test_two_mutexes_in_shared_memory(some_python: Path) -> None:
    with family("between", some_python, "shared_mutexes") as target:
        found = diagnose(target.pid)
    assert ring(found) == [THREAD, MUTEX, THREAD, MUTEX]
    assert len(pids(found)) == 2
    assert found.certainties() == {Certainty.CERTAIN}


def test_two_locks_of_multiprocessing_in_opposite_order(python: Path, python_version: str) -> None:
    with family("between", python, "crossed_locks") as target:
        found = diagnose(target.pid)
        (child,) = children(target.pid)
    assert ring(found) == [THREAD, NodeKind.LOCK, THREAD, NodeKind.LOCK]
    assert pids(found) == {target.pid, child}
    assert found.certainties() == {Certainty.CERTAIN, Certainty.PROVEN}
    assert found.finding("deadlock").severity is Severity.ERROR
    text = words(found)
    for mark in ("crossed first", "crossed second", "mirrored first", "mirrored second"):
        assert f"between.py:{target.line(f'# {mark}')}" in text
    record_cycle("between crossed_locks", python_version, found)
    assert found.members(NodeKind.LOCK) == {
        "first (multiprocessing.Lock)",
        "second (multiprocessing.Lock)",
    }


@pytest.mark.parametrize(
    ("scenario", "certainty", "kind"),
    [
        ("crossed_rlocks", Certainty.CERTAIN, NodeKind.RLOCK),
        ("crossed_conditions", Certainty.CERTAIN, NodeKind.RLOCK),
        ("crossed_semaphores", Certainty.PROVEN, NodeKind.SEMAPHORE),
        ("crossed_acquires", Certainty.INFERRED, NodeKind.LOCK),
    ],
)
def test_other_locks_of_multiprocessing(
    scenario: str, certainty: Certainty, kind: NodeKind, some_python: Path
) -> None:
    with family("between", some_python, scenario) as target:
        found = diagnose(target.pid)
    assert ring(found) == [THREAD, kind, THREAD, kind]
    assert len(pids(found)) == 2
    assert found.cycle().certainty is certainty
    sure = certainty.supports_claim
    severity = Severity.ERROR if sure else Severity.WARNING
    assert found.finding("deadlock").severity is severity


def test_a_lock_of_multiprocessing_whose_other_users_are_not_captured(some_python: Path) -> None:
    with family("between", some_python, "crossed_locks") as target:
        found = diagnose(target.pid, alone=True)
        (child,) = children(target.pid)
    resource = found.capture.resource(main_wait(found, target.pid).target)
    assert resource is not None
    assert resource.note is not None
    assert f"process {child} (between.py) shares it" in resource.note
    assert found.graph.cycles == ()


@pytest.mark.parametrize("scenario", ["copied_lock", "handed_over"])
def test_what_a_process_counts_is_no_proof_if_others_may_have_given_it_back(
    scenario: str, some_python: Path
) -> None:
    with family("between", some_python, scenario) as target:
        found = diagnose(target.pid)
    assert all(finding.severity is not Severity.ERROR for finding in found.findings)
    assert all(not cycle.certainty.supports_claim for cycle in found.graph.cycles)


def test_a_lock_whose_taker_was_killed(some_python: Path) -> None:
    with family("between", some_python, "lock_of_a_killed_process") as target:
        found = diagnose(target.pid)
        (child,) = children(target.pid)
    resource = found.capture.resource(main_wait(found, child).target)
    assert resource is not None
    assert resource.note is not None
    assert "whoever took it has ended" in resource.note
    assert found.graph.holders_of(resource.id) == ()
    assert [f for f in found.findings if f.severity is Severity.ERROR] == []
    finding = found.finding("orphaned-lock")
    assert finding.threads[0].pid == child
    assert "The process that holds it has ended without releasing it" in finding.sentence


def test_a_shared_semaphore_is_one_thing_for_all_who_wait(some_python: Path) -> None:
    with family("between", some_python, "shared_semaphore") as target:
        found = diagnose(target.pid)
        (child,) = children(target.pid)
    awaited = {main_wait(found, pid).target for pid in (target.pid, child)}
    assert len(awaited) == 1
    assert found.graph.cycles == ()


def test_a_system_v_semaphore_names_its_last_user(new_python: Path) -> None:
    with family("between", new_python, "system_v") as target:
        found = diagnose(target.pid)
        (child,) = children(target.pid)
        name = label(found, main_wait(found, child).target)
        wanted = re.fullmatch(r"System V semaphore (\d+)\[0\]", name)
        assert wanted
        ctypes.CDLL(None).semctl(int(wanted[1]), 0, 0)  # IPC_RMID: nobody else removes it
    (hold,) = found.graph.holders_of(main_wait(found, child).target)
    assert hold.target == f"thread:{target.pid}:{target.pid}"
    assert hold.evidence.certainty is Certainty.INFERRED
    assert found.finding("deadlock").severity is Severity.WARNING


def test_a_system_v_semaphore_whose_last_user_has_ended(new_python: Path) -> None:
    with family("between", new_python, "system_v_of_a_killed_process") as target:
        found = diagnose(target.pid)
        name = label(found, main_wait(found, target.pid).target)
        wanted = re.fullmatch(r"System V semaphore (\d+)\[0\]", name)
        assert wanted
        ctypes.CDLL(None).semctl(int(wanted[1]), 0, 0)  # IPC_RMID: nobody else removes it
    node = main_wait(found, target.pid).target
    resource = found.capture.resource(node)
    assert found.graph.holders_of(node) == ()
    assert resource is not None
    assert re.match(r"process \d+, which changed it last, to 0, has ended", resource.note or "")


def test_idle_workers_at_one_semaphore_hold_nothing(some_python: Path) -> None:
    with family("between", some_python, "system_v_workers") as target:
        found = diagnose(target.pid)
    semaphores = [r.id for r in found.capture.resources if r.label.startswith("System V")]
    assert len(semaphores) == 1
    assert found.graph.holders_of(semaphores[0]) == ()
    assert found.graph.cycles == ()
    assert [f for f in found.findings if f.severity is not Severity.NOTE] == []


def test_a_mutex_in_a_file_is_called_by_it_and_its_owner_is_found(some_python: Path) -> None:
    with family("between", some_python, "mutex_in_a_file") as target:
        found = diagnose(target.pid)
        (child,) = children(target.pid)
    wait = main_wait(found, child)
    assert re.fullmatch(r"mutex in /\S*/between-\w+ \(offset 128\)", label(found, wait.target))
    assert set(ring(found)) == {PROCESS, THREAD, MUTEX}
    assert found.finding("deadlock").severity is Severity.ERROR


def test_a_mutex_in_a_file_whose_owner_has_ended(some_python: Path) -> None:
    with family("between", some_python, "mutex_in_a_file_of_an_ended_process") as target:
        found = diagnose(target.pid)
        (child,) = children(target.pid)
    node = main_wait(found, child).target
    assert found.graph.holders_of(node) == ()
    said = found.finding("quiet").sentence
    assert re.search(
        r"not known \(it names thread \d+ as its owner, which has ended; "
        rf"process {target.pid} \(between.py\) has /\S+ mapped\)\.",
        said,
    ), said


def test_a_named_semaphore_is_called_by_its_name_and_who_else_has_it_is_told(
    some_python: Path,
) -> None:
    with family("between", some_python, "named_semaphore") as target:
        found = diagnose(target.pid)
        (child,) = children(target.pid)
        name = f"between-{target.pid}"
        Path(f"/dev/shm/sem.{name}").unlink()
    node = main_wait(found, child).target
    resource = found.capture.resource(node)
    assert main_wait(found, target.pid).target == node
    assert label(found, node) == f"named semaphore /{name} (/dev/shm/sem.{name})"
    assert resource is not None
    assert f"between.py) has /dev/shm/sem.{name} mapped" in (resource.note or "")


def test_a_barrier_of_multiprocessing_is_called_as_the_program_does(some_python: Path) -> None:
    with family("between", some_python, "shared_barrier") as target:
        found = diagnose(target.pid)
        (child,) = children(target.pid)
    target_of = main_wait(found, child).target
    assert label(found, target_of) == "Barrier arrival (multiprocessing.Barrier)"
    made = found.capture.resource(target_of)
    assert made is not None
    assert made.note == ("all 3 parties have to come to it, of whatever process")
