"""A child that cannot end, because nobody reads what it writes."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    Certainty,
    Inward,
    NodeKind,
    Progress,
    Resource,
    Severity,
    Surroundings,
    Syscall,
    Task,
    TaskState,
    Wait,
    process_id,
    resource_id,
    shared_id,
)
from tests.unit.factories import (
    PID,
    capture,
    evidence,
    holds,
    python_frame,
    stood,
    thread,
    waits,
)

CHILD = 200
PIPE = shared_id(NodeKind.PIPE, "0x1/write")


def full_pipe(*, unread: bool = True, readers: tuple[int, ...] = (PID,)) -> Capture:
    """A task waits for the end of a child that writes to a full pipe."""
    loop = thread("MainThread", python=[python_frame("run", 9, "/usr/lib/python3.12/asyncio/r.py")])
    child = thread("MainThread", CHILD, CHILD, python=[python_frame("work", 3, "/app/tool.py")])
    other = thread("MainThread", 300, 300, python=[python_frame("read", 3, "/app/other.py")])
    frames = (python_frame("run_command", 18, entry=None),)
    task = Task(
        PID, 0x100, "Task-1", "run_command", TaskState.WAITING, 0x10, PID, frames, "its child"
    )
    name = "stdout pipe of process 200"
    pipe = Resource(PIPE, NodeKind.PIPE, name, CHILD, 1, name=name, unread=unread)
    proof = evidence("Process.wait", Certainty.PROVEN, "/app/main.py:18")
    made = capture(
        loop,
        child,
        other,
        resources=[pipe],
        waits=[
            Wait(task.id, process_id(CHILD), proof, operation="end"),
            waits(child, pipe, operation="write"),
        ],
        holds=[holds(pipe, one) for one in (loop, other) if one.pid in readers],
    )
    return replace(made, tasks=(task,))


def test_a_task_waits_for_a_child_whose_output_nobody_reads() -> None:
    (finding,) = (one for one in findings.run(full_pipe()) if one.id == "output-unread")

    assert (finding.severity, finding.certainty) == (Severity.WARNING, Certainty.INFERRED)
    assert finding.sentence == (
        "Task run_command waits at main.py:18 (run_command) for process 200 to end. That cannot "
        "end: it waits at tool.py:3 (work) to write to the stdout pipe of process 200, which is "
        "full. Only process 100 itself could read it, and nobody in it does."
    )
    assert {one.pid for one in finding.threads} == {PID, CHILD}


def test_where_somebody_reads_or_another_process_could_it_is_not_told() -> None:
    for made in (full_pipe(unread=False), full_pipe(readers=(PID, 300)), full_pipe(readers=(300,))):
        assert "output-unread" not in {one.id for one in findings.run(made)}


def polling(*, unread: bool = True, moves: bool = False, stood_s: float = 2.0) -> Capture:
    """A thread that asks again and again whether a child has ended, which nobody reads from."""
    main = thread("MainThread", python=[python_frame("monitor", 9)], still=False)
    main = replace(main, syscall=Syscall("clock_nanosleep"))
    child = thread("seq", CHILD, CHILD)
    name = "stdout pipe of process 200"
    pipe = Resource(PIPE, NodeKind.PIPE, name, CHILD, 1, name=name, unread=unread)
    made = capture(
        main,
        child,
        resources=[pipe],
        waits=[waits(child, pipe, operation="write")],
        holds=[holds(pipe, main)],
    )
    looks = (
        Progress(main.id, 5, 2.0, 0.0, 0.0, wakes=20, same_line=not moves),
        Progress(child.id, 5, stood_s, stood_s, 0.0),
    )
    return replace(made, progress=looks)


def test_a_parent_that_polls_while_nobody_reads_what_its_child_writes() -> None:
    (finding,) = (one for one in findings.run(polling()) if one.id == "output-unread")

    assert (finding.severity, finding.certainty) == (Severity.WARNING, Certainty.INFERRED)
    assert finding.title == (
        "MainThread waits at main.py:9 (monitor) by polling, and process 200 waits for its output "
        "to be read"
    )
    assert "which is full. Only process 100 itself could read it" in finding.sentence


def test_a_thread_of_a_package_or_one_that_waits_for_its_own_event_does_not_poll_for_it() -> None:
    made = polling()
    own = made.process(PID)
    assert own is not None
    (main,) = own.threads
    package = "/usr/lib/python3/site-packages/otel/export.py"
    foreign = replace(main, python_stack=(python_frame("worker", 159, package),))
    event = Resource(resource_id(NodeKind.EVENT, PID, 7), NodeKind.EVENT, "stopped", PID, 7)
    timed = replace(waits(main, event), expires=True)
    for case in (
        replace(made, processes=(replace(own, threads=(foreign,)), *made.processes[1:])),
        replace(made, resources=(*made.resources, event), waits=(*made.waits, timed)),
    ):
        assert "output-unread" not in {one.id for one in findings.run(case)}


@pytest.mark.parametrize("stood_s", [2.0, 0.2])
def test_who_reads_what_a_child_writes_to_another_pipe(stood_s: float) -> None:
    made = polling(stood_s=stood_s)
    main, child = made.threads()
    name = "stdout pipe of process 200"
    out = Resource(shared_id(NodeKind.PIPE, "0x2"), NodeKind.PIPE, name, CHILD, 2, name=name)
    hears = replace(waits(main, out), operation="read")
    made = replace(
        made,
        resources=(*made.resources, out),
        waits=(*made.waits, hears),
        holds=(*made.holds, holds(out, child)),
        progress=tuple(one for one in made.progress if one.thread == child.id),
    )
    found = [one for one in findings.run(made) if one.id == "output-unread"]

    says = (
        "MainThread waits at main.py:9 (monitor) for data from the stdout pipe of process 200; "
        "process 200 waits for its output to be read"
    )
    assert [one.title for one in found] == ([says] if stood_s > 1 else [])


def test_who_moves_or_reads_or_a_child_that_ran_is_not_told() -> None:
    for made in (polling(unread=False), polling(moves=True), polling(stood_s=0.2)):
        assert "output-unread" not in {one.id for one in findings.run(made)}


def own_pipe(*, signal: str = "SIGUSR1", ends: tuple[int, ...] = (PID,)) -> Capture:
    """A handler of a signal writes to a full pipe that its own process alone has."""
    handler = replace(python_frame("on_tick", 14), signal="SIGUSR1")
    main = thread(
        "MainThread", python=[handler, python_frame("count", 18)], syscall=Syscall("write", "fd 4")
    )
    pipe = Resource(PIPE, NodeKind.PIPE, "pipe", PID, 1, name="pipe within process 100")
    made = capture(main, resources=[pipe], waits=[waits(main, pipe, operation="write")])
    (process,) = made.processes
    around = Surroundings(handles_signals=(signal,), children=())
    made = stood(replace(made, processes=(replace(process, around=around, steady=True),)))
    (process,) = made.processes
    around = replace(process.around or around, handles_signals=(signal,), children=())
    inward = (Inward(main.id, ends),)
    return replace(made, processes=(replace(process, around=around),), inward=inward)


def test_a_handler_fills_the_pipe_that_only_the_thread_it_interrupted_reads() -> None:
    (finding,) = (one for one in findings.run(own_pipe()) if one.id == "output-blocked")

    assert finding.severity is Severity.ERROR
    assert "it would have to read itself what it writes" in finding.sentence
    assert "goes on as soon as" not in finding.sentence


def test_another_process_may_read_the_pipe_or_another_signal_end_the_write() -> None:
    for made in (own_pipe(ends=(PID, 555)), own_pipe(signal="SIGUSR2")):
        (finding,) = (one for one in findings.run(made) if one.id == "output-blocked")
        assert finding.severity is Severity.WARNING


def test_a_thread_fills_the_pipe_of_its_own_process_that_no_other_one_is_known_to_read() -> None:
    made = own_pipe()
    bell = thread("bell", 101, python=[python_frame("ring", 40)])
    (process,) = made.processes
    process = replace(process, threads=(*process.threads, bell))
    found = findings.run(replace(made, processes=(process,)))
    (finding,) = (one for one in found if one.id == "output-blocked")

    assert "only process 100 itself has its other end" in finding.sentence
    assert "If MainThread is to read what it writes, nobody does" in finding.sentence
    assert "only bell could read it" not in finding.sentence


def test_a_process_that_gets_on_elsewhere_leaves_the_full_pipe_of_its_own_to_be_told() -> None:
    made = own_pipe()
    (process,), (pipe,) = made.processes, made.resources
    beat = replace(thread("beat", 101, python=[python_frame("beat", 40)]), state="R", still=False)
    process = replace(process, threads=(*process.threads, beat))
    found = findings.run(replace(made, processes=(process,), holds=(holds(pipe, beat),)))
    (finding,) = (one for one in found if one.id == "output-blocked")

    assert (finding.severity, finding.threads[0].name) == (Severity.NOTE, "MainThread")
    assert "only process 100 itself has its other end" in finding.sentence
