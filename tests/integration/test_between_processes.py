"""Processes that wait for each other, by their ends and through pipes; and healthy ones."""

import re
import subprocess
import time
from pathlib import Path

import pytest

from hangtui.backends.ipc.descriptors import Descriptors
from hangtui.backends.process import processes
from hangtui.backends.process.processes import children
from hangtui.backends.procfs import life
from hangtui.model import Certainty, Severity
from tests.integration.capturing import Diagnosis
from tests.integration.families import (
    PIPE,
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
from tests.shares import captures
from tests.waiting import until

CAPTURES = captures(4)


# -- the end of a process --------------------------------------------------------------------------


def test_a_parent_that_waits_for_a_child_whose_pipe_it_does_not_read(
    python: Path, python_version: str
) -> None:
    with family("between", python, "full_pipe") as target:
        found = diagnose(target.pid)
        (child,) = children(target.pid)
    assert ring(found) == [THREAD, PROCESS, THREAD, PIPE]
    record_cycle("between full_pipe", python_version, found)
    assert pids(found) == {target.pid, child}
    assert found.certainties() <= {Certainty.CERTAIN, Certainty.PROVEN}
    finding = found.finding("deadlock")
    assert finding.severity is Severity.ERROR
    text = words(found)
    assert f"between.py:{target.line('# ends full_pipe')}" in text
    assert f"between.py:{target.line('# waits full_pipe')}" in text
    assert f"for process {child} (between.py) to end" in text
    assert f"room in the stdout pipe of process {child}, which is full" in text
    assert f"only MainThread of process {target.pid} can read" in text
    assert "communicate()" in text


def test_join_before_the_queue_is_drained(python: Path) -> None:
    with family("between", python, "queue_join") as target:
        found = diagnose(target.pid)
    assert ring(found) == [THREAD, PROCESS, THREAD, THREAD, PIPE]
    finding = found.finding("deadlock")
    assert finding.severity is Severity.ERROR
    text = words(found)
    assert "QueueFeederThread" in text
    assert f"between.py:{target.line('# ends queue_join')}" in text
    assert "Drain the queue" in text


def test_who_writes_into_a_queue_has_its_lock_and_nobody_else_gives_it_back(python: Path) -> None:
    with family("between", python, "queue_of_two_join") as target:
        found = diagnose(target.pid)
    assert found.certainties() <= {Certainty.CERTAIN, Certainty.PROVEN}
    finding = found.finding("deadlock")
    assert finding.severity is Severity.ERROR
    assert finding.title.startswith("Deadlock: 4 threads")
    text = words(found)
    assert "writelock" in text
    assert f"between.py:{target.line('# ends queue_of_two_join')}" in text
    assert "Drain the queue" in text


def test_who_watches_for_the_ends_of_processes_waits_for_them(python: Path) -> None:
    with family("between", python, "queue_and_sentinels") as target:
        found = diagnose(target.pid)
        workers = children(target.pid)
    waits = found.graph.waits_of(f"thread:{target.pid}:{target.pid}")
    assert {wait.target for wait in waits} == {f"process:{worker}" for worker in workers}
    finding = found.finding("deadlock")
    assert finding.severity is Severity.ERROR
    text = words(found)
    assert text.count("QueueFeederThread") >= 2
    assert f"between.py:{target.line('# ends sentinels')}" in text


def test_a_thread_that_could_end_the_process_makes_it_a_possible_deadlock(
    some_python: Path,
) -> None:
    with family("between", some_python, "full_pipe_with_heartbeat") as target:
        found = diagnose(target.pid)
    finding = found.finding("deadlock")
    assert finding.severity is Severity.WARNING
    assert finding.title.startswith("Possible deadlock")


@pytest.mark.parametrize("scenario", ["waitid", "process_descriptor"])
def test_other_ways_to_wait_for_a_child(scenario: str, new_python: Path) -> None:
    with family("between", new_python, scenario) as target:
        found = diagnose(target.pid)
        (child,) = children(target.pid)
    assert main_wait(found, target.pid).target == f"process:{child}"
    assert ring(found) == [THREAD, PROCESS, THREAD, PIPE]


@pytest.mark.parametrize("scenario", ["waitid_group", "waitpid_group"])
def test_only_children_of_the_process_group_count(scenario: str, new_python: Path) -> None:
    with family("between", new_python, scenario) as target:
        found = diagnose(target.pid)
        _, member = children(target.pid)
    (wait,) = found.graph.waits_of(f"thread:{target.pid}:{target.pid}")
    assert wait.target == f"process:{member}"
    assert ring(found) == [THREAD, PROCESS, THREAD, PIPE]


def test_a_number_that_another_process_got_meanwhile(
    new_python: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others: list[subprocess.Popen[bytes]] = []

    def listed(_: int) -> list[int]:
        others.append(subprocess.Popen(["sleep", "60"]))
        return [other.pid for other in others]

    monkeypatch.setattr(processes, "children", listed)
    with family("between", new_python, "waitid") as target:
        found = diagnose(target.pid)
    for other in others:
        other.kill()
        other.wait()
    assert [process.pid for process in found.capture.processes] == [target.pid]


def test_any_child_is_enough(some_python: Path) -> None:
    with family("between", some_python, "any_child") as target:
        found = diagnose(target.pid)
        born = children(target.pid)
    targets = {edge.target for edge in found.graph.waits_of(f"thread:{target.pid}:{target.pid}")}
    assert targets == {f"process:{pid}" for pid in born}
    assert pids(found) == {target.pid, *born}
    assert found.finding("deadlock").severity is Severity.ERROR


def test_one_free_child_is_a_way_out(some_python: Path) -> None:
    with family("between", some_python, "any_child_of_which_one_is_free") as target:
        found = diagnose(target.pid)
        assert len(children(target.pid)) == 3
    assert len(found.graph.waits_of(f"thread:{target.pid}:{target.pid}")) == 3
    assert found.graph.cycles == ()
    assert {finding.severity for finding in found.findings} <= {Severity.NOTE}


def test_a_stopped_child_is_no_deadlock_and_is_said_to_be_stopped(some_python: Path) -> None:
    with family("between", some_python, "stopped_child") as target:
        found = diagnose(target.pid)
        (child,) = children(target.pid)
        alone = diagnose(target.pid, alone=True)
    for one in (found, alone):
        wait = main_wait(one, target.pid)
        assert wait.target == f"process:{child}"
        assert label(one, wait.target) == f"process {child} (between.py), stopped by a signal"
        assert one.graph.cycles == ()
    serious = [finding.id for finding in found.findings if finding.severity is not Severity.NOTE]
    assert serious == ["held-from-outside"]


# -- programs in C ---------------------------------------------------------------------------------


def deadlocked(pid: int) -> Diagnosis:
    """What is found once its children, which nobody asked for, have come so far."""
    deadline = time.monotonic() + 60
    found = diagnose(pid, follow=True)
    while not found.graph.cycles and time.monotonic() < deadline:
        found = diagnose(pid, follow=True)
    return found


def test_a_shell_that_waits_for_a_program_whose_output_nobody_reads(some_python: Path) -> None:
    with family("between", some_python, "shell_unread", settled=False) as target:
        found = deadlocked(target.pid)
    assert ring(found) == [THREAD, PROCESS, THREAD, PROCESS, THREAD, PIPE]
    finding = found.finding("deadlock")
    assert finding.severity is Severity.ERROR
    assert f"between.py:{target.line('# ends shell_unread')}" in finding.sentence
    assert "(seq) waits for room in the stdout pipe" in finding.sentence
    assert "which is full and which only MainThread can read" in finding.sentence


@pytest.mark.parametrize(
    ("scenario", "said"),
    [
        ("filter_unread", "(cat) waits for room in the stdout pipe"),
        ("filter_unclosed", "(sort) waits for data from the stdin pipe"),
    ],
)
def test_a_filter_whose_pipes_both_lead_to_one_thread(
    scenario: str, said: str, some_python: Path
) -> None:
    with family("between", some_python, scenario, settled=False) as target:
        found = deadlocked(target.pid)
    assert ring(found) == [THREAD, PIPE, THREAD, PIPE]
    finding = found.finding("deadlock")
    assert finding.severity is Severity.ERROR
    assert f"between.py:{target.line(f'# waits {scenario}')}" in finding.sentence
    assert said in finding.sentence
    assert [one.id for one in found.findings if one.severity is not Severity.NOTE] == ["deadlock"]


def test_a_program_in_c_that_is_waited_for_lacks_nothing(some_python: Path) -> None:
    with family("healthy_processes", some_python, "fed_filter") as target:
        found = diagnose(target.pid, follow=True)
    others = [one for one in found.capture.processes if one.pid != target.pid]
    assert sorted(one.title for one in others) == ["cat", "sh", "sleep"]
    assert [one.gaps for one in others] == [()] * len(others)
    assert {one.pid for one in found.capture.notices} <= {target.pid, None}
    assert {one.id for one in found.findings} <= {"waiting-for-process", "idle"}


# -- pipes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["pipe_read", "pipe_poll", "pipe_select", "pipe_epoll"])
def test_two_readers_wait_for_each_other(scenario: str, some_python: Path) -> None:
    with family("between", some_python, scenario) as target:
        found = diagnose(target.pid)
        (child,) = children(target.pid)
    assert ring(found) == [THREAD, PIPE, THREAD, PIPE]
    assert pids(found) == {target.pid, child}
    assert found.certainties() == {Certainty.CERTAIN}
    assert found.finding("deadlock").severity is Severity.ERROR


@pytest.mark.parametrize("scenario", ["pipe_read", "full_pipe"])
def test_who_is_waited_for_is_read_as_well(scenario: str, new_python: Path) -> None:
    with family("between", new_python, scenario) as target:
        found = diagnose(target.pid, follow=True)
        with_children = diagnose(target.pid)
        (child,) = children(target.pid)
    assert pids(found) == {target.pid, child}
    assert ring(found) == ring(with_children)
    assert len(found.capture.waits) == len(with_children.capture.waits)
    assert len(found.capture.holds) == len(with_children.capture.holds)
    assert found.finding("deadlock").severity is Severity.ERROR


def test_a_process_that_is_not_captured_is_named_and_breaks_no_ring(new_python: Path) -> None:
    with family("between", new_python, "pipe_read") as target:
        found = diagnose(target.pid, alone=True)
        (child,) = children(target.pid)
    (hold,) = found.graph.holders_of(main_wait(found, target.pid).target)
    assert hold.target == f"process:{child}"
    assert label(found, hold.target) == f"process {child} (between.py)"
    assert found.graph.cycles == ()


def test_what_descendants_have_open_may_be_out_of_sight(
    new_python: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As for who may not look into a child that runs as somebody else."""
    with family("between", new_python, "several_poll") as target:
        born = children(target.pid)
        count = Descriptors._count

        def closed(self: Descriptors, pid: int) -> int:
            if pid == born[-1]:
                self.unreadable.add(pid)
                return 0
            return count(self, pid)

        monkeypatch.setattr(Descriptors, "_count", closed)
        found = diagnose(target.pid)
    said = [notice.message for notice in found.capture.notices]
    assert any(f"may not be read (process {born[-1]})" in message for message in said)
    assert [f for f in found.findings if f.severity is Severity.ERROR] == []


def test_a_wait_that_gives_up_is_no_deadlock(some_python: Path) -> None:
    with family("between", some_python, "pipe_timeout") as target:
        found = diagnose(target.pid)
    assert len(found.capture.waits) == 2
    assert all(wait.expires for wait in found.capture.waits)
    assert found.graph.cycles == ()


@pytest.mark.parametrize("scenario", ["several_poll", "several_select", "several_epoll"])
def test_any_one_of_several_would_be_enough(scenario: str, some_python: Path) -> None:
    with family("between", some_python, scenario) as target:
        found = diagnose(target.pid)
        born = children(target.pid)
    waits = found.graph.waits_of(f"thread:{target.pid}:{target.pid}")
    assert len(waits) == 2
    assert all("one of 2 ways on" in wait.evidence.text for wait in waits)
    assert pids(found) == {target.pid, *born}
    assert found.finding("deadlock").severity is Severity.ERROR


@pytest.mark.parametrize(
    ("scenario", "said"),
    [
        ("several_with_a_limit", 2),
        ("several_of_which_one_is_free", 2),
        ("several_and_a_way_to_wake_it", 0),
        ("several_and_something_else", 0),
    ],
)
def test_one_way_on_is_enough(scenario: str, said: int, some_python: Path) -> None:
    with family("between", some_python, scenario) as target:
        found = diagnose(target.pid)
        born = children(target.pid)
    assert len(found.graph.waits_of(f"thread:{target.pid}:{target.pid}")) == said
    pipes = [main_wait(found, pid) for pid in born if found.graph.waits_of(f"thread:{pid}:{pid}")]
    assert pipes, "the children's own waits are known all the same"
    assert found.graph.cycles == ()
    assert [f for f in found.findings if f.severity is not Severity.NOTE] == []


def test_a_pipe_that_only_its_reader_could_write_to(some_python: Path) -> None:
    with family("between", some_python, "own_pipe") as target:
        found = diagnose(target.pid)
    assert found.finding("self-deadlock").severity is Severity.ERROR
    assert "which only it could serve itself" in words(found, "self-deadlock")


@pytest.mark.parametrize("scenario", ["own_pipe_for_signals", "idle_event_loop"])
def test_a_pipe_to_itself_that_a_signal_handler_writes_to(scenario: str, some_python: Path) -> None:
    with family("between", some_python, scenario) as target:
        found = diagnose(target.pid)
    wait = main_wait(found, target.pid)
    assert label(found, wait.target)
    assert {finding.severity for finding in found.findings} <= {Severity.NOTE}


def test_opening_a_fifo_waits_for_the_other_end(new_python: Path) -> None:
    with family("between", new_python, "fifo_open") as target:
        found = diagnose(target.pid)
    wait = main_wait(found, target.pid)
    assert re.fullmatch(r"FIFO /.*/orders", label(found, wait.target))
    assert "until somebody opens it for writing" in wait.evidence.text
    call = found.capture.threads()[0].syscall
    assert call is not None
    assert call.name == "openat"
    assert call.detail == label(found, wait.target).removeprefix("FIFO ")


def test_two_processes_that_open_two_fifos_in_opposite_orders(new_python: Path) -> None:
    with family("between", new_python, "fifos_crossed") as target:
        found = diagnose(target.pid)
    assert ring(found) == [THREAD, PIPE, THREAD, PIPE]
    finding = found.finding("deadlock")
    assert finding.severity is Severity.WARNING
    text = words(found)
    assert "/sound, which nobody has open, and MainThread of process" in text
    assert "was started with the name of this FIFO, and may open it" in text
    assert "in the same order" in text


def test_closing_a_connection_lingers_until_the_other_side_has_read(some_python: Path) -> None:
    with family("between", some_python, "lingering_close") as target:
        found = diagnose(target.pid)
        (child,) = children(target.pid)
    wait = main_wait(found, target.pid)
    assert label(found, wait.target).startswith("TCP connection to 127.0.0.1:")
    assert wait.expires
    assert wait.evidence.certainty is Certainty.INFERRED
    assert "being closed (FIN_WAIT1)" in wait.evidence.text
    assert {one.holder.pid for one in found.capture.holds if one.resource == wait.target} == {child}
    assert {finding.severity for finding in found.findings} <= {Severity.NOTE}


@pytest.mark.parametrize("scenario", ["vfork_clone", "vfork_clone3"])
def test_after_vfork_a_child_is_waited_for_and_no_device(scenario: str, some_python: Path) -> None:
    with family("between", some_python, scenario) as target:
        found = diagnose(target.pid)
        (child,) = children(target.pid)
        assert target.state() == "D"
    wait = main_wait(found, target.pid)
    assert wait.target == f"process:{child}"
    assert "it waits until that child starts its program or ends" in wait.evidence.text
    assert "held-from-outside" not in [one.id for one in found.findings]
    finding = found.finding("waiting-for-process")
    line = target.line("# waits vfork")
    assert f"for process {child} (between.py) to start its program" in finding.title
    assert f"between.py:{line} (vfork)" in finding.sentence


def test_programs_that_wait_for_what_the_other_types(some_python: Path) -> None:
    with family("between", some_python, "typist") as target:
        found = diagnose(target.pid)
        (child,) = children(target.pid)
    assert ring(found) == [THREAD, PIPE, THREAD, PIPE]
    assert pids(found) == {target.pid, child}
    assert found.finding("deadlock").severity is Severity.ERROR
    text = words(found)
    assert "the output of terminal /dev/pts/" in text
    for mark in ("asks", "expects"):
        assert f"between.py:{target.line(f'# {mark}')}" in text


def test_a_terminal_that_was_stopped_is_not_full(new_python: Path) -> None:
    """Its reader waits for output while its writer waits for room: no reading could end that."""
    with family("between", new_python, "stopped_terminal") as target:
        found = diagnose(target.pid)
    assert "deadlock" not in [one.id for one in found.findings]
    finding = found.finding("output-blocked")
    line = target.line("# prints")
    assert (
        f"waits to write to its terminal at between.py:{line} (stopped_terminal)" in finding.title
    )
    assert "Somebody pressed Ctrl-S" in finding.sentence


def test_who_asks_for_a_process_that_has_ended_waits_for_its_parent(new_python: Path) -> None:
    with family("between", new_python, "polled_process", settled=False) as target:
        child, zombie = sorted(children(target.pid), key=life.ended)

        def told() -> Diagnosis | None:
            found = diagnose(target.pid)
            targets = {one.target for one in found.capture.waits}
            return found if f"process:{zombie}" in targets else None

        found = until(told)
    (wait,) = (one for one in found.capture.waits if one.target == f"process:{zombie}")
    assert wait.waiter == f"thread:{target.pid}:{target.pid}"
    assert not wait.expires
    assert "it asks again and again whether process" in wait.evidence.text
    holders = [one.holder for one in found.capture.holds if one.resource == wait.target]
    assert holders == [f"thread:{child}:{child}"]
    resource = next(one for one in found.capture.resources if one.id == wait.target)
    assert resource.note is not None
    assert "ended, not yet reaped by its parent" in resource.note


def test_of_one_that_lives_nobody_has_to_collect_anything(new_python: Path) -> None:
    with family("between", new_python, "polled_living_process", settled=False) as target:
        (child,) = children(target.pid)
        found = [diagnose(target.pid) for _ in range(CAPTURES)]
    waits = [one for looked in found for one in looked.capture.waits]
    assert f"process:{child}" not in {one.target for one in waits}


def test_who_connects_to_a_full_queue_waits_for_who_listens_there(new_python: Path) -> None:
    with family("between", new_python, "full_unix_queue") as target:
        found = diagnose(target.pid)
        (child,) = children(target.pid)
    wait = main_wait(found, target.pid)
    assert "the queue of connections to Unix socket @hangtui-full-queue-" in wait.evidence.text
    assert not wait.expires
    finding = found.finding("waiting-for-peer")
    line = target.line("# connects")
    where = f"at between.py:{line} (full_unix_queue)"
    assert f"{where}: the Unix socket @hangtui-full-queue-" in finding.title
    assert "Nobody has accepted the connection yet" in finding.sentence
    assert f"MainThread of process {child} waits at between.py:" in finding.sentence
    assert "and listens there" in finding.sentence


# -- healthy processes -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "program",
    [
        "pipeline",
        "ping_pong",
        "keep_alive",
        "typist",
        "idle_connection",
        "executor",
        "fed_filter",
        "idle_pool",
        "idle_workers",
        "idle_workers_of_a_thread",
        "forked_from_an_idle_loop",
    ],
)
def test_nothing_is_wrong(program: str, some_python: Path) -> None:
    with family("healthy_processes", some_python, program, settled=False) as target:
        for _ in range(CAPTURES):
            found = diagnose(target.pid)
            assert len(found.capture.processes) > 1
            assert [f for f in found.findings if f.severity is not Severity.NOTE] == []
            assert found.graph.cycles == ()


def test_who_waits_for_signals_is_not_called_deadlocked(some_python: Path) -> None:
    """From outside it cannot be told that the handler is what will write to the pipe."""
    with family("healthy_processes", some_python, "master_of_signals") as target:
        found = diagnose(target.pid)
        assert len(found.capture.processes) == 2
    assert all(finding.severity is not Severity.ERROR for finding in found.findings)
    assert all(not cycle.certainty.supports_claim for cycle in found.graph.cycles)
