"""One side waits for answers, the other for commands: told from several looks alone."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    Certainty,
    Child,
    Process,
    Progress,
    PythonFrame,
    RingEnd,
    Severity,
    Surroundings,
    Syscall,
)
from tests.unit.factories import capture, python_frame, thread

SITE = "/venv/lib/python3.12/site-packages/vllm"
PROTOCOL = f"{SITE}/v1/executor/multiproc_executor.py"
DEQUEUE = python_frame("MessageQueue.dequeue", 975, f"{SITE}/shm_broadcast.py")
SPIN = python_frame("SpinCondition.wait", 208, f"{SITE}/shm_broadcast.py")
ASKS = python_frame("Executor.collective_rpc.<locals>.get_response", 440, PROTOCOL)
LOOP = python_frame("WorkerProc.worker_busy_loop", 1041, PROTOCOL)
WORK = python_frame("Worker.execute_model", 33, f"{SITE}/worker.py")
ENGINE, WORKERS = 300, (301, 302)


def process(pid: int, ppid: int, *stack: PythonFrame) -> Process:
    (made,) = capture(
        replace(
            thread("MainThread", pid, python=stack, still=False),
            pid=pid,
            syscall=Syscall("poll", timed=True),
        )
    ).processes
    return replace(made, ppid=ppid)


def engine(
    *stacks: tuple[PythonFrame, ...],
    asks: tuple[PythonFrame, ...] = (SPIN, DEQUEUE, ASKS),
    looks: int = 5,
    common: tuple[str, ...] | None = None,
    captured: int = 2,
    rested: bool = False,
) -> Capture:
    """An engine with two workers, seen several times in 2 s on the stacks that it has."""
    children = tuple(Child(pid, "worker", "S") for pid in WORKERS)
    main = replace(process(ENGINE, 1, *asks), around=Surroundings(children=children))
    workers = [process(pid, ENGINE, *stack) for pid, stack in zip(WORKERS, stacks, strict=True)]
    processes = (main, *workers[:captured])
    progress = tuple(
        Progress(
            one.threads[0].id, looks, 2.0, 0.0, 0.0004 if rested else 0.1, same_stack=rested,
            common=tuple(f.function for f in one.threads[0].python_stack or ())
            if common is None
            else common,
        )
        for one in processes
    )  # fmt: skip
    return replace(capture(), processes=processes, progress=progress)


IDLE = (SPIN, DEQUEUE, LOOP)


def told(made: Capture) -> bool:
    return "lost-answer" in [finding.id for finding in findings.run(made)]


def test_all_workers_wait_for_a_command_while_an_answer_is_waited_for() -> None:
    made = engine(IDLE, IDLE)
    (finding,) = (one for one in findings.run(made) if one.id == "lost-answer")
    assert finding.severity is Severity.WARNING
    assert {one.pid for one in finding.threads} == {ENGINE, *WORKERS}
    assert "5 looks over 2.0 s" in finding.sentence


def test_two_looks_tell_it_if_nobody_used_a_processor_in_between() -> None:
    assert told(engine(IDLE, IDLE, looks=2, rested=True))


@pytest.mark.parametrize(("caller", "idle"), [(ASKS, False), (LOOP, True)])
def test_who_waits_for_an_answer_is_not_idle(caller: PythonFrame, idle: bool) -> None:
    made = engine(IDLE, (WORK, LOOP), asks=(SPIN, DEQUEUE, caller))
    told_idle = {one.processes for one in findings.run(made) if one.id == "idle"}
    assert ((ENGINE,) in told_idle) is idle


@pytest.mark.parametrize(
    "made",
    [
        engine(IDLE, (WORK, LOOP)),
        engine((WORK, LOOP), (WORK, LOOP)),
        engine(IDLE, IDLE, asks=(SPIN, DEQUEUE, WORK)),
        engine(IDLE, IDLE, asks=(WORK, ASKS)),
        engine(IDLE, IDLE, looks=2),
        engine(IDLE, IDLE, common=()),
        engine(IDLE, IDLE, captured=1),
    ],
    ids=["one works", "both work", "asks nobody", "computes", "two looks", "moved", "unseen"],
)
def test_where_an_answer_may_come_nothing_is_said(made: Capture) -> None:
    assert not told(made)


def test_one_look_says_nothing() -> None:
    assert not told(replace(engine(IDLE, IDLE), progress=()))


def rings(*untaken: int) -> tuple[RingEnd, ...]:
    """What lies before the engine and each worker."""
    return tuple(
        RingEnd(pid, f"psm_{pid}", writes=False, untaken=count)
        for pid, count in zip((ENGINE, *WORKERS), untaken, strict=False)
    )


def test_it_is_proven_if_nothing_lies_in_the_rings() -> None:
    for ends, certainty in ((rings(0, 0, 0), Certainty.PROVEN), (rings(0, 0), Certainty.INFERRED)):
        made = replace(engine(IDLE, IDLE), ring_ends=ends)
        (finding,) = (one for one in findings.run(made) if one.id == "lost-answer")
        assert finding.certainty is certainty
        assert ("Nothing lies in the rings" in finding.sentence) is (len(ends) == 3)


@pytest.mark.parametrize("untaken", [(1, 0, 0), (0, 0, 1)])
def test_what_lies_in_a_ring_is_not_lost(untaken: tuple[int, ...]) -> None:
    assert not told(replace(engine(IDLE, IDLE), ring_ends=rings(*untaken)))
