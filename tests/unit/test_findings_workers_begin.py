"""A pool of processes all whose workers wait in their initializer."""

from dataclasses import replace

from hangtui.analysis.waitgraph import build
from hangtui.findings.wakeups import pool_starvation
from hangtui.model import (
    Capture,
    Executor,
    Finding,
    Hold,
    NodeKind,
    PythonFrame,
    Resource,
    Severity,
    Thread,
    resource_id,
)
from tests.unit.factories import (
    PID,
    capture,
    evidence,
    lock,
    process,
    python_frame,
    stood,
    thread,
    waits,
)

POOL = "/usr/lib/python3.12/multiprocessing/pool.py"
DRESS = python_frame("dress", 10)
COOK = python_frame("cook", 16)
WORKER = python_frame("worker", 109, POOL)
PIPE = resource_id(NodeKind.PIPE, 0, 77)


def canteen(
    inside: PythonFrame = DRESS, *, beside: bool = False, stranger: bool = False
) -> Capture:
    """Two workers, in *inside*, wait for a pipe whose other end they and the pool's process have;
    *beside*: so has a thread of the program there that does something else."""
    serve = (python_frame("Pool.map", 367, POOL), python_frame("serve", 29))
    main = thread("MainThread", python=serve)
    pids = (PID + 1, PID + 2)
    mains = [thread("MainThread", pid, pid=pid, python=(inside, WORKER)) for pid in pids]
    extra = [thread("keeper", PID + 50, python=(python_frame("keep", 5),))] if beside else []
    event = lock("MapResult._event", 0x1, NodeKind.EVENT)
    pipe = Resource(PIPE, NodeKind.PIPE, "the pipe", 0, 77)
    own: list[Thread] = [main, *extra]
    made = capture(
        *own,
        resources=[event, pipe],
        waits=[waits(main, event), *(waits(one, pipe) for one in mains)],
        holds=[
            Hold(PIPE, one.id, evidence("it has the writing end"))
            for one in (main, *([thread("other", PID + 90, pid=PID + 90)] if stranger else []))
        ],
    )
    others = tuple(process(one.pid, one) for one in mains)
    pool = Executor(
        PID,
        0x10,
        "multiprocessing.pool.Pool",
        (main.id,),
        size=2,
        renews=True,
        initializer="dress",
        worker_pids=pids,
    )
    return replace(made, processes=(*made.processes, *others), executors=(pool,))


def told(made: Capture) -> list[Finding]:
    made = stood(made)
    return pool_starvation.check(made, build(made))


def test_workers_that_wait_in_their_initializer_for_each_other_take_no_task() -> None:
    (finding,) = told(canteen())

    assert finding.severity is Severity.WARNING
    assert finding.title.startswith(
        "No worker of a Pool takes a task, while MainThread of process 100 waits for a result at "
        "main.py:29 (serve): both workers wait in their initializer at main.py:10 (dress)"
    )
    assert "what an earlier one took there has gone with it" in finding.sentence
    assert any("give back what it takes" in one for one in finding.advice)


def test_nothing_is_said_of_workers_at_their_tasks() -> None:
    assert told(canteen(COOK)) == []


def test_a_thread_of_the_program_beside_may_end_that() -> None:
    assert told(canteen(beside=True)) == []


def test_another_process_may_end_that() -> None:
    assert told(canteen(stranger=True)) == []
