"""Tasks of really hanging event loops, on the CPythons of this machine."""

import re
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest

from hangtui.backends.cpython.aio.tasks import AsyncReader
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.elf.images import Images
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.model import Certainty, LoopState, NodeKind, NoHolder, Severity, Task, TaskState, Wait
from tests.integration.capturing import Captured, Diagnosis, diagnose
from tests.integration.results import record_cycle
from tests.integration.targets import Interpreter, interpreters, running
from tests.shares import captures
from tests.waiting import until

CAPTURES = captures(6)


@pytest.fixture
def waits(captured: Captured, python: Path) -> Diagnosis:
    """The many waits under one interpreter."""
    if version(python) < (3, 7):
        pytest.skip("the target needs asyncio of 3.7")
    return captured("asyncio_waits", python)[0]


def version(python: Path) -> tuple[int, int]:
    major, minor = python.name.removeprefix("python").removesuffix("t").split(".")
    return int(major), int(minor)


def task(found: Diagnosis, function: str) -> Task:
    """The only task that runs this function."""
    (one,) = (task for task in found.capture.tasks if task.function == function)
    return one


def wait(found: Diagnosis, function: str) -> Wait:
    """The only wait of the task that runs this function."""
    (one,) = (w for w in found.capture.waits if w.waiter == task(found, function).id)
    return one


def functions(found: Diagnosis) -> set[str]:
    """The functions of the tasks of the only cycle."""
    members = {node for node in found.cycle().nodes if node.startswith("task:")}
    return {one.function or "?" for one in found.capture.tasks if one.id in members}


@pytest.mark.every_python
def test_two_locks_in_opposite_order_are_one_proven_cycle(
    python: Path, python_version: str, captured: Captured
) -> None:
    found, target = captured("asyncio_abba", python)
    record_cycle("asyncio_abba", python_version, found)
    assert functions(found) == {"move", "rebalance"}
    assert found.members(NodeKind.LOCK) == {
        "left_shelf (asyncio.Lock)",
        "right_shelf (asyncio.Lock)",
    }
    assert found.certainties() == {Certainty.PROVEN}
    taken, awaited = target.line("async with source"), target.line("async with target")
    where = {edge.relation: edge.evidence.where for edge in found.cycle().edges}
    assert where == {
        "held-by": f"asyncio_abba.py:{taken}",
        "waits-for": f"asyncio_abba.py:{awaited}",
    }
    finding = found.finding("deadlock")
    assert finding.severity is Severity.ERROR
    assert finding.title.startswith("Deadlock: tasks ")
    for word in ("move", "rebalance", "asyncio.Lock", "left_shelf", "event loop in MainThread"):
        assert word in f"{finding.title} {finding.sentence}"
    main = task(found, "main")
    assert found.graph.behind(found.cycle()) == (main.id,)


@pytest.mark.every_python
def test_the_stack_of_a_task_leads_from_what_it_awaits_to_its_coroutine(
    python: Path, captured: Captured
) -> None:
    found, target = captured("asyncio_abba", python)
    stack = task(found, "rebalance").python_stack or ()
    names = [frame.function.rpartition(".")[2] for frame in stack]
    assert names == ["acquire", "__aenter__", "move", "rebalance"]
    assert stack[-1].line == target.line("await move(first")
    assert all(one.loop_tid == target.pid for one in found.capture.tasks)
    assert {one.state for one in found.capture.tasks} == {TaskState.WAITING}


def test_tasks_that_are_written_in_python(python: Path) -> None:
    if version(python) < (3, 7):
        pytest.skip("3.6 keeps such tasks in a registry of their own")
    with running("asyncio_python", python) as target:
        found = diagnose(target.pid)
    assert functions(found) == {"move", "rebalance"}
    assert found.certainties() == {Certainty.PROVEN}


@pytest.mark.every_python
@pytest.mark.parametrize(
    ("function", "kind", "label"),
    [
        ("get", NodeKind.QUEUE, "empty (asyncio.Queue)"),
        ("put", NodeKind.QUEUE, "full (asyncio.Queue)"),
        ("join", NodeKind.QUEUE, "done (asyncio.Queue)"),
        ("see", NodeKind.EVENT, "event (asyncio.Event)"),
        ("notice", NodeKind.CONDITION, "condition (asyncio.Condition)"),
        ("bare", NodeKind.FUTURE, "asyncio.Future awaited in bare"),
        (
            "hear",
            NodeKind.FUTURE,
            "asyncio.Future that line.receive() gave, awaited in hear",
        ),
        ("in_thread", NodeKind.FUTURE, None),
    ],
)
def test_a_task_waits_for(
    function: str,
    kind: NodeKind,
    label: str | None,
    waits: Diagnosis,
) -> None:
    edge = wait(waits, function)
    resource = waits.capture.resource(edge.target)
    assert resource is not None
    assert resource.kind is kind
    assert label in (None, resource.label)
    assert edge.evidence.certainty.supports_claim


@pytest.mark.every_python
def test_a_task_waits_for_the_others_at_a_barrier(python: Path, waits: Diagnosis) -> None:
    if version(python) < (3, 11):
        pytest.skip("asyncio has barriers from 3.11 on")
    resource = waits.capture.resource(wait(waits, "meet").target)
    assert resource is not None
    assert (resource.kind, resource.waiting, resource.size) == (NodeKind.BARRIER, 1, 3)
    awaits = "the other parties of barrier (asyncio.Barrier), 1 of 3 is there"
    assert task(waits, "meet").awaits == awaits


@pytest.mark.every_python
@pytest.mark.parametrize("function", ["await_task", "shielded", "gathered", "waited", "bounded"])
def test_a_task_waits_for_another_one(function: str, python: Path, waits: Diagnosis) -> None:
    if function == "await_task" and version(python) >= (3, 11):
        pytest.skip("there are two, one of them in a TaskGroup")
    edge = wait(waits, function)
    (awaited,) = (one for one in waits.capture.tasks if one.id == edge.target)
    assert awaited.function == "take"
    assert awaited.awaits is not None
    assert awaited.awaits.startswith("sleep (")
    assert awaited.sleep is not None
    total, left = awaited.sleep.total_s, awaited.sleep.left_s
    assert total is not None
    assert left is not None
    assert total - 60 < left < total
    assert edge.expires == (function == "bounded")


@pytest.mark.every_python
def test_a_task_group_waits_for_its_tasks(python: Path, waits: Diagnosis) -> None:
    if version(python) < (3, 11):
        pytest.skip("TaskGroup came with 3.11")
    edge = wait(waits, "grouped")
    (child,) = (one for one in waits.capture.tasks if one.id == edge.target)
    assert child.function == "await_task"
    assert "TaskGroup" in edge.evidence.text


@pytest.mark.every_python
@pytest.mark.parametrize(
    ("label", "holder", "certainty"),
    [
        ("till (asyncio.Lock)", "take", Certainty.PROVEN),
        ("lent (asyncio.Lock)", "borrow", Certainty.PROVEN),
        ("spelled (asyncio.Lock)", "spell", Certainty.INFERRED),
        ("units (asyncio.BoundedSemaphore)", "take", Certainty.PROVEN),
    ],
)
def test_a_lock_is_held_by(
    label: str,
    holder: str,
    certainty: Certainty,
    waits: Diagnosis,
) -> None:
    (resource,) = (one for one in waits.capture.resources if one.label == label)
    (hold,) = (one for one in waits.capture.holds if one.resource == resource.id)
    (one,) = (one for one in waits.capture.tasks if one.id == hold.holder)
    assert one.function == holder
    assert hold.evidence.certainty is certainty
    assert one.awaits is not None
    assert one.awaits.startswith("sleep (")


@pytest.mark.every_python
def test_a_task_waits_for_a_thread_of_a_pool(waits: Diagnosis) -> None:
    (hold,) = waits.graph.holders_of(wait(waits, "in_thread").target)
    holder = waits.capture.thread(hold.target)
    assert holder is not None
    assert holder.tid != holder.pid
    assert hold.evidence.certainty is Certainty.PROVEN


@pytest.mark.every_python
def test_waits_from_outside_are_told_and_are_no_edges(waits: Diagnosis) -> None:
    reading = task(waits, "read")
    assert reading.awaits is not None
    assert reading.awaits.startswith("data from 127.0.0.1:")
    assert not waits.graph.waits_of(reading.id)
    (loop,) = waits.capture.event_loops
    assert loop.state is LoopState.IDLE
    assert loop.timers == 6
    assert loop.watched == 3
    assert [f for f in waits.findings if f.severity is not Severity.NOTE] == []


@pytest.mark.every_python
def test_names_of_tasks_are_those_of_the_program(python: Path, waits: Diagnosis) -> None:
    expected = "the read" if version(python) >= (3, 8) else "read"
    assert task(waits, "read").name == expected


def test_tasks_that_await_each_other_in_a_ring(python: Path, python_version: str) -> None:
    with running("asyncio_ring", python) as target:
        found = diagnose(target.pid)
    record_cycle("asyncio_ring", python_version, found)
    assert functions(found) == {"brew", "grind", "fetch"}
    assert found.finding("deadlock").severity is Severity.ERROR


def test_a_ring_of_threads_and_a_task(python: Path, python_version: str) -> None:
    with running("asyncio_threads", python) as target:
        found = diagnose(target.pid)
    record_cycle("asyncio_threads", python_version, found)
    assert functions(found) == {"report"}
    threads = {label.split()[0] for label in found.members(NodeKind.THREAD)}
    assert "clerk" in threads
    assert len(threads) == 2
    assert "ledger_lock (threading.Lock)" in found.members(NodeKind.LOCK)
    assert found.finding("deadlock").severity is Severity.ERROR


def test_a_task_that_blocks_the_loop_for_its_own_result(python: Path) -> None:
    with running("asyncio_self", python) as target:
        found = diagnose(target.pid)
    finding = found.finding("self-deadlock")
    assert finding.severity is Severity.ERROR
    assert "event loop of this very thread" in finding.sentence
    assert task(found, "handle").state is TaskState.RUNNING


def test_a_task_whose_loop_was_not_woken(python: Path) -> None:
    with running("asyncio_not_woken", python) as target:
        finding = diagnose(target.pid).finding("loop-not-woken")
    assert "task main at asyncio_not_woken.py:18 (await_rate) is ready to go on" in finding.sentence
    assert "no timer and no connection" in finding.sentence
    with running("asyncio_not_woken", python, asleep=False, arguments=("safe",)) as target:
        for _ in range(captures(6)):
            assert "loop-not-woken" not in {one.id for one in diagnose(target.pid).findings}


def test_a_blocked_loop_is_what_its_tasks_wait_for(python: Path) -> None:
    with running("asyncio_mixed", python) as target:
        found = diagnose(target.pid)
    threads = {label.split()[0] for label in found.members(NodeKind.THREAD)}
    assert threads == {"MainThread", "filler"}
    assert found.members(NodeKind.LOCK) == {"cache_lock (threading.Lock)"}
    assert found.finding("deadlock").severity is Severity.ERROR


def test_a_lock_that_a_task_keeps_while_it_awaits(python: Path) -> None:
    with running("asyncio_across_await", python) as target:
        found = diagnose(target.pid)
    assert found.members(NodeKind.LOCK) == {"token_lock (threading.Lock)"}
    finding = found.finding("deadlock")
    assert finding.severity is Severity.ERROR
    line = target.line("with token_lock")
    assert "which task fetch_token" in finding.sentence
    assert f"(taken at asyncio_across_await.py:{line})" in finding.sentence


def test_one_task_may_keep_a_lock_while_it_awaits(python: Path) -> None:
    with running("asyncio_across_await", python, asleep=False, arguments=("turns",)) as target:
        found = [diagnose(target.pid) for _ in range(3)]
    assert not [f for one in found for f in one.findings if f.severity is not Severity.NOTE]


def test_a_blocking_call_in_a_task(python: Path) -> None:
    with running("asyncio_blocked", python) as target:
        found = diagnose(target.pid)
    finding = found.finding("event-loop-blocked")
    assert finding.severity is Severity.WARNING
    line = target.line("time.sleep(1000)")
    assert f"asyncio_blocked.py:{line} (render)" in finding.sentence
    assert "9 other tasks" in finding.sentence
    main = task(found, "main")
    assert main.state is TaskState.RUNNING
    assert [frame.function for frame in main.python_stack or ()] == ["render", "main"]


def test_a_future_that_nobody_is_left_to_set(python: Path) -> None:
    with running("asyncio_stalled", python) as target:
        found = diagnose(target.pid)
    assert found.graph.cycles == ()
    finding = found.finding("event-loop-stalled")
    assert finding.severity is Severity.WARNING
    line = target.line("return await reply")
    for word in ("task login", "Future", f"asyncio_stalled.py:{line}", "event loop"):
        assert word in finding.sentence


@pytest.mark.parametrize(
    ("program", "sleeps"), [("healthy_asyncio", False), ("healthy_asyncio_idle", True)]
)
def test_nothing_is_wrong(program: str, sleeps: bool, python: Path) -> None:
    if version(python) < (3, 7):
        pytest.skip("the target needs asyncio of 3.7")
    with running(program, python, asleep=sleeps) as target:
        for _ in range(CAPTURES):
            found = diagnose(target.pid)
            assert found.capture.tasks
            assert [f for f in found.findings if f.severity is not Severity.NOTE] == []
            assert found.graph.cycles == ()


@pytest.mark.every_python
@pytest.mark.parametrize(
    "interpreter", interpreters(("3.14", "3.15")) or [None], ids=lambda one: one and one.id
)
def test_the_interpreter_itself_lists_the_same_tasks(interpreter: Interpreter | None) -> None:
    if interpreter is None:
        pytest.skip("no CPython 3.14 here, whose asyncio looks into other processes")
    with running("asyncio_waits", interpreter.path) as target:
        found = diagnose(target.pid)
        table = asked(interpreter.path, "ps", target.pid)
        tree = asked(interpreter.path, "pstree", target.pid)

    rows = [COLUMNS.split(row) for row in table.splitlines()[2:] if row.strip()]
    theirs = {(int(row[1], 16), row[2], row[3]) for row in rows}
    assert theirs == {
        (task.address, task.name, " -> ".join(frame.function for frame in task.python_stack or ()))
        for task in found.capture.tasks
    }
    for task in found.capture.tasks:
        assert f"(T) {task.name}" in tree
        for frame in task.python_stack or ():
            assert f"{frame.function} {frame.filename}:{frame.line}" in tree


COLUMNS = re.compile(r"\s{2,}")


def asked(python: Path, what: str, pid: int) -> str:
    """What ``python -m asyncio`` tells of a process."""
    command = [str(python), "-m", "asyncio", what, str(pid)]
    done = subprocess.run(command, capture_output=True, text=True)
    if "remote debugging" in done.stderr.lower() or "permission" in done.stderr.lower():
        pytest.skip(f"it may not look into other processes here: {done.stderr[-200:]}")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.every_python
def test_a_loop_without_fields_of_its_own_is_found_by_the_thread_that_runs_it(python: Path) -> None:
    if version(python) < (3, 10):
        pytest.skip("a lock takes its loop from the running one since 3.10")
    with running("asyncio_own_loop", python) as target:
        found = diagnose(target.pid)
    (loop,) = found.capture.event_loops
    runner = next(t for t in found.capture.threads() if t.name == "loop-runner")
    assert loop.tid == runner.tid
    assert task(found, "ask").loop_tid == runner.tid
    assert wait(found, "ask").target.kind is NodeKind.LOCK


def test_a_coroutine_that_was_given_to_a_stopped_loop_is_told_as_that(python: Path) -> None:
    with running("asyncio_stopped_loop", python) as target:
        found = diagnose(target.pid)
    (future,) = [one for one in found.capture.resources if one.kind is NodeKind.FUTURE]
    assert future.name == "result of send(), given to an event loop that no thread runs"
    assert future.no_holder is NoHolder.UNRUN
    with running("asyncio_stopped_loop", python, arguments=("event",)) as target:
        found = diagnose(target.pid)
    (event,) = [one for one in found.capture.resources if one.kind is NodeKind.EVENT]
    assert event.name == "event of send(), given to an event loop that no thread runs"


def test_ten_thousand_tasks_alike_share_what_is_told_of_them(python: Path) -> None:
    if version(python) < (3, 7):
        pytest.skip("the target needs asyncio of 3.7")
    with running("asyncio_many", python) as target:
        diagnose(target.pid)
        pace = _pace_s()
        began = time.process_time()
        found = diagnose(target.pid)
        used = time.process_time() - began

    waiting = [one for one in found.capture.tasks if one.function == "wait"]
    assert len(waiting) == 10_000
    assert len({id(one.python_stack) for one in waiting}) == 1
    evidence = {wait.waiter: wait.evidence for wait in found.capture.waits}
    assert len({id(evidence[one.id]) for one in waiting}) == 1
    assert used < 25 * pace  # five times as much as where nothing else runs


def _pace_s() -> float:
    """What a loop of a fixed length uses of a processor: much more on a machine that has none to
    spare, as everything does."""
    began = time.process_time()
    for _ in range(10_000_000):
        pass
    return time.process_time() - began


@pytest.mark.parametrize(
    "interpreter", interpreters(("3.8", "3.12", "3.13")), ids=lambda one: one.id
)
def test_a_task_stands_still_only_if_its_future_leads_to_the_same_task(
    interpreter: Interpreter,
) -> None:
    """As it does not where that was read from what was another future's memory before."""
    with running("asyncio_waits", interpreter.path) as target:
        memory = ProcessMemory(target.pid)
        reader = AsyncReader(PythonReader(memory, Images(memory), {target.pid: target.pid}))
        (reading,) = reader.readings()
        task = next(one for one in reading.tasks.values() if one.coroutine == "shielded")
        assert task.awaited is not None
        assert reader.same(task)
        other = next(one for one in reading.tasks if one not in (task.address, *task.awaited.tasks))
        assert not reader.same(replace(task, awaited=replace(task.awaited, tasks=(other,))))


@pytest.mark.parametrize("interpreter", interpreters(("3.8", "3.12")), ids=lambda one: one.id)
def test_a_file_that_was_closed_wakes_nobody(interpreter: Interpreter) -> None:
    with running("asyncio_closed_behind", interpreter.path) as target:
        found = until(lambda: next(iter(diagnose(target.pid).findings), None))

    assert found.id == "event-loop-stalled"
    assert "a socket that was closed or detached meanwhile" in found.sentence
