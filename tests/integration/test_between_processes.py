"""Processes that wait for each other: every mechanism, and healthy ones that must not be blamed."""

import contextlib
import ctypes
import os
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hangtui.analysis.waitgraph import Edge, build
from hangtui.backends.between import sockets
from hangtui.backends.between.descriptors import Descriptors
from hangtui.backends.collect import collect
from hangtui.backends.procfs import children
from hangtui.findings import run
from hangtui.model import Certainty, NodeKind, Severity
from hangtui.provider import CaptureRequest, NativeMode
from tests.integration.capturing import Diagnosis
from tests.integration.results import record_cycle
from tests.integration.targets import Interpreter, Target, interpreters, running

CAPTURES = 20
_LIMIT_S = 60


def _some() -> list[Interpreter]:
    """The oldest, a middle and a new CPython: enough where only the kernel is asked."""
    found = {one.version: one for one in interpreters(("3.6", "3.11", "3.13"))}
    return list(found.values()) or interpreters()[:1]


@pytest.fixture(params=_some(), ids=lambda found: found.id)
def some_python(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param.path
    return path


@pytest.fixture
def new_python() -> Path:
    """One that has everything that is asked of it here."""
    return interpreters(("3.11", "3.12", "3.13"))[-1].path


@contextlib.contextmanager
def family(program: str, python: Path, *arguments: str, settled: bool = True) -> Iterator[Target]:
    """A target whose children, too, have come to rest."""
    with running(program, python, asleep=False, arguments=arguments) as target:
        if settled:
            _settle(target)
        yield target


def _settle(target: Target) -> None:
    """Until no thread of any process of the family ran between two looks, several times."""
    deadline = time.monotonic() + _LIMIT_S
    before, in_a_row = _runs(target), 0
    while in_a_row < 3:
        assert time.monotonic() < deadline, "the processes do not settle"
        time.sleep(0.01)
        now = _runs(target)
        in_a_row = in_a_row + 1 if now == before else 0
        before = now


def _runs(target: Target) -> dict[str, str]:
    """What changes when a thread runs."""
    found = {}
    for pid in (target.pid, *children(target.pid)):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found[str(task)] = (task / "schedstat").read_text()
    return found


def diagnose(pid: int, *, alone: bool = False) -> Diagnosis:
    request = CaptureRequest(pids=(pid,), children=not alone, native=NativeMode.NONE)
    *_, capture = collect(request)
    graph = build(capture)
    return Diagnosis(capture, graph, run(capture, graph))


def main_wait(found: Diagnosis, pid: int) -> Edge:
    """What the main thread of a process waits for."""
    wait = found.graph.wait_of(f"thread:{pid}:{pid}")
    assert wait is not None
    return wait


def label(found: Diagnosis, node_id: str) -> str:
    node = found.graph.node(node_id)
    assert node is not None
    return node.label


def ring(found: Diagnosis) -> list[NodeKind]:
    """The kinds of the nodes of the only cycle, in the order of waiting."""
    nodes = [found.graph.node(node) for node in found.cycle().nodes]
    return [node.kind for node in nodes if node]


def pids(found: Diagnosis) -> set[int]:
    """The processes whose threads are in the only cycle."""
    nodes = [found.graph.node(node) for node in found.cycle().nodes]
    return {node.pid for node in nodes if node and node.kind is NodeKind.THREAD}


def words(found: Diagnosis, identifier: str = "deadlock") -> str:
    finding = found.finding(identifier)
    return " ".join((finding.title, finding.sentence, *finding.evidence, *finding.advice))


THREAD, PROCESS, PIPE, SOCKET, LOCK, MUTEX = (
    NodeKind.THREAD,
    NodeKind.PROCESS,
    NodeKind.PIPE,
    NodeKind.SOCKET,
    NodeKind.FILE_LOCK,
    NodeKind.MUTEX,
)


# -- the end of a process -------------------------------------------------------------------------


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
    assert found.findings == ()


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
        assert [f for f in one.findings if f.severity is not Severity.NOTE] == []


# -- pipes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["pipe_read", "pipe_poll", "pipe_select", "pipe_epoll"])
def test_two_readers_wait_for_each_other(scenario: str, some_python: Path) -> None:
    with family("between", some_python, scenario) as target:
        found = diagnose(target.pid)
        (child,) = children(target.pid)
    assert ring(found) == [THREAD, PIPE, THREAD, PIPE]
    assert pids(found) == {target.pid, child}
    assert found.certainties() == {Certainty.CERTAIN}
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
        open_in = Descriptors._open_in

        def closed(self: Descriptors, pid: int) -> Iterator[tuple[int, str]]:
            if pid == born[-1]:
                self.unreadable.add(pid)
                return iter(())
            return open_in(self, pid)

        monkeypatch.setattr(Descriptors, "_open_in", closed)
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
    assert found.findings == ()


def test_opening_a_fifo_waits_for_the_other_end(new_python: Path) -> None:
    with family("between", new_python, "fifo_open") as target:
        found = diagnose(target.pid)
    wait = main_wait(found, target.pid)
    assert re.fullmatch(r"FIFO /.*/orders", label(found, wait.target))
    assert "until somebody opens it for writing" in wait.evidence.text


# -- sockets --------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["tcp", "tcp6", "unix_pair", "unix_named"])
def test_both_ends_of_a_connection_wait_for_data(scenario: str, some_python: Path) -> None:
    with family("between", some_python, scenario) as target:
        found = diagnose(target.pid)
        (child,) = children(target.pid)
    assert ring(found) == [THREAD, SOCKET, THREAD, SOCKET]
    assert pids(found) == {target.pid, child}
    assert found.certainties() == {Certainty.CERTAIN}
    name = label(found, main_wait(found, target.pid).target)
    wanted = {
        "tcp": r"TCP connection to 127\.0\.0\.1:\d+ \(from 127\.0\.0\.1:\d+\)",
        "tcp6": r"TCP connection to \[::1\]:\d+ \(from \[::1\]:\d+\)",
        "unix_pair": rf"Unix socket to process {child} \(inode \d+\)",
        "unix_named": r"Unix socket @hangtui-test-\d+ \(inode \d+\)",
    }
    assert re.fullmatch(wanted[scenario], name)


@pytest.mark.parametrize("scenario", ["limited_receive", "limited_by_python"])
def test_a_socket_with_a_limit_gives_up(scenario: str, some_python: Path) -> None:
    with family("between", some_python, scenario) as target:
        found = diagnose(target.pid)
    (wait,) = found.graph.waits_of(f"thread:{target.pid}:{target.pid}")
    assert wait.expires
    assert wait.evidence.certainty is Certainty.CERTAIN
    assert found.graph.cycles == ()
    assert [f for f in found.findings if f.severity is Severity.ERROR] == []


def test_without_sight_of_a_limit_it_is_no_more_than_possible(
    new_python: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "has_timeout", lambda *_: None)
    with family("between", new_python, "limited_receive") as target:
        found = diagnose(target.pid)
    assert found.certainties() == {Certainty.CERTAIN, Certainty.INFERRED}
    assert found.finding("deadlock").severity is Severity.WARNING
    assert "whether it has a timeout (SO_RCVTIMEO) cannot be seen" in words(found)


@pytest.mark.parametrize("scenario", ["own_connection", "unix_own_connection"])
def test_a_connection_that_its_client_would_have_to_accept(
    scenario: str, some_python: Path
) -> None:
    with family("between", some_python, scenario) as target:
        found = diagnose(target.pid)
    assert found.finding("self-deadlock").severity is Severity.ERROR
    assert "has not accepted the connection" in words(found, "self-deadlock")


def test_the_process_at_the_other_end_is_named(new_python: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        with family("between", new_python, "stranger", str(port)) as target:
            waiting = diagnose(target.pid)
            accepted, _ = listener.accept()
            with accepted:
                found = diagnose(target.pid)
    for one, said in ((waiting, "has not accepted the connection"), (found, "has the other end")):
        (hold,) = one.graph.holders_of(main_wait(one, target.pid).target)
        assert hold.target == f"process:{os.getpid()}"
        assert label(one, hold.target).startswith(f"process {os.getpid()} (")
        assert said in hold.evidence.text
        assert one.graph.cycles == ()


def test_a_server_waits_for_anybody(some_python: Path) -> None:
    with family("between", some_python, "accept") as target:
        found = diagnose(target.pid)
    wait = main_wait(found, target.pid)
    assert re.fullmatch(r"TCP port 127\.0\.0\.1:\d+", label(found, wait.target))
    assert found.graph.holders_of(wait.target) == ()


# -- file locks -----------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", ["flock", "open_file_locks"])
def test_two_file_locks_in_opposite_order(scenario: str, some_python: Path) -> None:
    with family("between", some_python, scenario) as target:
        found = diagnose(target.pid)
    assert ring(found) == [THREAD, LOCK, THREAD, LOCK]
    assert len(pids(found)) == 2
    assert found.certainties() == {Certainty.CERTAIN}
    assert found.finding("deadlock").severity is Severity.ERROR
    assert "Take the locks in one order everywhere" in words(found)


def test_a_record_lock(some_python: Path) -> None:
    with family("between", some_python, "record_lock") as target:
        found = diagnose(target.pid)
    assert ring(found) == [THREAD, PROCESS, THREAD, LOCK]
    assert found.finding("deadlock").severity is Severity.ERROR


def test_a_lease_is_given_back_in_time(new_python: Path) -> None:
    # The kernel lets the one who waits look again and again, so that it never settles.
    with family("between", new_python, "lease", settled=False) as target:
        (child,) = children(target.pid)
        deadline = time.monotonic() + 30
        while not (Path(f"/proc/{child}/wchan").read_text()).startswith("__break_lease"):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        found = diagnose(target.pid)
    wait = main_wait(found, child)
    assert re.fullmatch(r"lease on /.*/tmp\w+", label(found, wait.target))
    assert wait.expires
    (hold,) = found.graph.holders_of(wait.target)
    assert hold.target == f"thread:{target.pid}:{target.pid}"
    assert found.graph.cycles == ()
    assert [f for f in found.findings if f.severity is not Severity.NOTE] == []


def test_a_record_lock_on_other_bytes_is_in_nobodys_way(some_python: Path) -> None:
    with family("between", some_python, "record_lock_elsewhere") as target:
        found = diagnose(target.pid)
        third, waiter = children(target.pid)
    (hold,) = found.graph.holders_of(main_wait(found, waiter).target)
    assert hold.target == f"thread:{third}:{third}"
    assert found.graph.cycles == ()


# -- shared memory --------------------------------------------------------------------------------


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


# -- healthy processes ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "program",
    [
        "pipeline",
        "ping_pong",
        "keep_alive",
        "idle_connection",
        "executor",
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
