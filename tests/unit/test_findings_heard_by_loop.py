"""What an event loop hears from other processes, and who calls off what it waits for: literal
captures."""

from dataclasses import replace

from hangtui.analysis.waitgraph import WaitGraph, build
from hangtui.analysis.wakers import coming
from hangtui.findings.heard_by_loop import told_heard
from hangtui.findings.words import words_of
from hangtui.model import (
    Capture,
    Certainty,
    Complement,
    CouldWake,
    Inward,
    Nearness,
    NodeKind,
    Task,
    TaskState,
)
from tests.unit.factories import capture, evidence, holds, lock, python_frame, thread, waits

MAIN = thread("MainThread", python=[python_frame("greet", 16)])
LOOP = thread("loop", 101, python=[python_frame("run_forever", 5)])
PONG = lock("asyncio.Future awaited in ping", 0x1, NodeKind.FUTURE)
ASKED = lock("future (concurrent.futures.Future)", 0x2, NodeKind.FUTURE)
TASK = Task(
    100, 0x900, "Task-3", "ping", TaskState.WAITING, 0x1000, 101, (python_frame("ping", 9),)
)


def asked(ends: tuple[int, ...], call: str = "self.result.set_result") -> Capture:
    """The main thread waits for a task, and that for what a child is to say."""
    own = capture(
        MAIN,
        LOOP,
        resources=[PONG, ASKED],
        waits=[waits(MAIN, ASKED), waits(TASK.id, PONG, Certainty.CERTAIN)],
        holds=[holds(ASKED, TASK.id, Certainty.PROVEN)],
    )
    sleeps = replace(thread("MainThread", 200, python=[python_frame("answer", 11)]), pid=200)
    child = replace(own.processes[0], pid=200, ppid=100, threads=(sleeps,))
    near = CouldWake(
        PONG.id,
        MAIN.id,
        Complement.SET_RESULT,
        Nearness.AHEAD,
        evidence("its code reaches it", Certainty.INFERRED, "main.py:20"),
        call,
        "main.py:21",
    )
    return replace(
        own,
        processes=(*own.processes, child),
        tasks=(TASK,),
        inward=(Inward(LOOP.id, ends),),
        could_wake=(near,),
    )


def told(made: Capture) -> str:
    graph = build(made)
    (wait,) = graph.waits_of(TASK.id)
    return told_heard(wait, words_of(made, graph))


def test_the_process_that_a_loop_hears_is_told_with_what_it_does() -> None:
    said = told(asked((100, 200)))

    assert said.startswith(" What comes from process 200, which its event loop hears, may end that")
    assert "MainThread of process 200" in said
    assert "main.py:11 (answer)" in said


def test_nothing_is_told_of_a_loop_that_hears_nobody_else_or_whom_is_not_known() -> None:
    assert told(asked((100,))) == ""
    assert told(asked((100, 300))) == ""
    assert told(replace(asked((100, 200)), inward=())) == ""


def comes(graph: WaitGraph) -> bool:
    return bool(coming(graph, PONG.id, None))


def test_who_waits_behind_a_task_does_not_end_its_wait_by_calling_the_next_one_off() -> None:
    assert comes(build(asked((100, 200))))
    assert not comes(build(asked((100, 200), "self.result.cancel")))

    free = asked((100, 200), "self.result.cancel")
    assert comes(build(replace(free, waits=free.waits[1:])))
