"""A package has called the program for a piece of work, which waits in the package again."""

from dataclasses import replace

from hangtui import findings
from hangtui.model import (
    EventLoop,
    Finding,
    LoopState,
    NodeKind,
    PythonFrame,
    Severity,
    Stay,
    Task,
    TaskState,
)
from tests.unit.factories import PID, capture, holds, lock, python_frame, thread, waits

PACKAGE = "/usr/lib/python3.12/site-packages/trays/batches.py"
MAIN = thread("MainThread", python=[python_frame("select", 9, "/usr/lib/python3.12/selectors.py")])
ANSWER = replace(lock("answer", 0xE, NodeKind.FUTURE), wakers_known=True)
PERMIT = lock("permit", 0xA, NodeKind.SEMAPHORE)


def of_package(function: str, line: int) -> PythonFrame:
    return python_frame(function, line, PACKAGE)


def task(address: int, name: str, *stack: PythonFrame) -> Task:
    return Task(PID, address, name, name, TaskState.WAITING, 9, PID, stack, still=True)


def told(*, other_runs: bool = False, by_clock: bool = False, queued: bool = True) -> list[Finding]:
    """*other_runs*: another piece of work is in the program; *by_clock*: the package waits for
    more, with a timeout; *queued*: the next piece of work waits for the permit."""
    own = task(
        0x101,
        "own",
        of_package("ask", 30),
        python_frame("define", 5),
        python_frame("explain", 7),
        of_package("run_batch", 20),
    )
    has = task(0x102, "has", of_package("run_batches", 12))
    following = task(0x103, "next", of_package("run_batches", 11))
    tasks = [own, has, following] if queued else [own, has]
    asked = [waits(own.id, ANSWER), waits(has.id, own.id)]
    if queued:
        asked.append(waits(following.id, PERMIT))
    if other_runs:
        tasks.append(task(0x104, "other", python_frame("read", 8), of_package("run_batch", 20)))
    if by_clock:
        more = task(0x105, "more", of_package("await_more", 40))
        tasks.append(more)
        asked.append(waits(more.id, lock("items", 0xB, NodeKind.QUEUE), expires=True))
    made = capture(MAIN, resources=[ANSWER, PERMIT], waits=asked, holds=[holds(PERMIT, has.id)])
    made = replace(
        made,
        tasks=tuple(tasks),
        event_loops=(EventLoop(PID, 9, "loop", LoopState.IDLE, PID, timers=0, library="asyncio"),),
        stays=tuple(Stay(one.id, 2.0) for one in tasks),
    )
    return [one for one in findings.run(made) if one.id == "pool-starvation"]


def test_who_waits_for_what_comes_after_it_is_told() -> None:
    (found,) = told()

    assert found.severity is Severity.WARNING
    assert "main.py:5 (define)" in found.title
    assert "inside of what trays has called, explain" in found.title
    assert "task next for permit, which task has has until task own has ended" in found.sentence


def test_nothing_is_told_while_another_piece_of_work_is_run() -> None:
    assert not told(other_runs=True)


def test_nothing_is_told_while_the_package_waits_for_more() -> None:
    assert not told(by_clock=True)


def test_nothing_is_told_if_nothing_waits_behind_it() -> None:
    assert not told(queued=False)
