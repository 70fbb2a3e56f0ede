"""Tasks that wait for one another while a thread of their process goes on."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Complement,
    CouldWake,
    EventLoop,
    Finding,
    LoopState,
    Nearness,
    NodeKind,
    Progress,
    Severity,
    Stay,
    Task,
    TaskState,
    Visit,
)
from tests.unit.factories import PID, capture, evidence, lock, python_frame, thread, waits

SELECT = python_frame("select", 9, "/usr/lib/python3.12/selectors.py")
MAIN = replace(thread("MainThread", python=[SELECT]), runs=7)
CLOCK = replace(thread("clock", PID + 1, python=[python_frame("tick", 5)], still=False), runs=9)
OPENED = replace(lock("opened", 0xE, NodeKind.EVENT), wakers_known=True)
ROOM = replace(lock("shelves", 0xA, NodeKind.QUEUE), wakers_known=True)


def told(
    *,
    ticks: bool = True,
    sleeps: bool = False,
    refers: bool = False,
    enders: tuple[str, ...] = (),
) -> list[Finding]:
    """*ticks*: another thread moves; *sleeps*: who could end the first wait does, by the clock;
    *refers*: the thread that moves does, to what the last one waits for; *enders*: code that would
    end that."""
    weigh, stack = (
        Task(PID, at, name, name, TaskState.WAITING, 9, PID, (python_frame(name, 16),), still=True)
        for at, name in ((0x101, "weigh"), (0x102, "stack_up"))
    )
    stack = replace(stack, awaits="sleep (9.0 s left)") if sleeps else stack
    opened = replace(OPENED, enders=enders)
    full = waits(weigh.id, ROOM, operation="put")
    made = capture(
        MAIN,
        *([CLOCK] if ticks else []),
        resources=[opened, ROOM],
        waits=[full, *([] if sleeps else [waits(stack.id, opened)])],
    )
    knows = CouldWake(OPENED.id, CLOCK.id, Complement.SET, Nearness.REFERS, evidence())
    could = CouldWake(ROOM.id, stack.id, Complement.GET, Nearness.AHEAD, evidence())
    visits = (Visit("main.py:5 (tick)", "tick", 2), Visit("main.py:6 (tick)", "tick", 3))
    made = replace(
        made,
        tasks=(weigh, stack),
        event_loops=(EventLoop(PID, 9, "loop", LoopState.IDLE, PID, timers=0, library="asyncio"),),
        could_wake=(could, knows) if refers else (could,),
        stays=(Stay(weigh.id, 2.0), Stay(stack.id, 2.0)),
        progress=(
            Progress(MAIN.id, 5, 2.0, 2.0, 0.0, wakes=0),
            Progress(CLOCK.id, 5, 2.0, 0.0, 0.1, visits, wakes=9),
        ),
    )
    return [one for one in findings.run(made) if one.id == "tasks-held-up"]


@pytest.mark.parametrize(
    ("enders", "severity"), [((), Severity.WARNING), (("open_up (app.py:3)",), Severity.NOTE)]
)
def test_the_whole_chain_is_told(enders: tuple[str, ...], severity: Severity) -> None:
    (found,) = told(enders=enders)

    assert found.severity is severity
    assert found.title.startswith("Task weigh waits at ")
    assert "; only task stack_up could end that, and waits at " in found.title
    assert "Meanwhile clock ran" in found.sentence
    assert ("open_up (app.py:3)" in found.sentence) == bool(enders)


def test_nothing_is_told_if_who_could_end_it_comes_by_the_clock() -> None:
    assert not told(sleeps=True)


def test_a_process_in_which_nothing_gets_on_is_told_as_such() -> None:
    assert not told(ticks=False)


def test_a_thread_that_goes_on_and_leads_there_may_end_it() -> None:
    (found,) = told(refers=True)

    assert found.severity is Severity.NOTE
    assert found.sentence.endswith("Meanwhile clock ran.")
