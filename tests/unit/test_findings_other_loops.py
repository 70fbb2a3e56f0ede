"""Tasks in the event loop of a package that does not note which thread runs it."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.rest.rests import rests_of
from hangtui.findings.words import words_of
from hangtui.model import EventLoop, LoopState, Syscall, Task, TaskState
from tests.unit.factories import capture, python_frame, thread

SITE = "/venv/lib/python3.12/site-packages"


@pytest.mark.parametrize(
    ("type_name", "unrun"),
    [("qasync.QSelectorEventLoop", False), ("asyncio.unix_events._UnixSelectorEventLoop", True)],
)
def test_who_runs_it_does_not_rest_while_its_tasks_wait(type_name: str, *, unrun: bool) -> None:
    runs = python_frame("run_until_complete", 428, f"{SITE}/qasync/__init__.py")
    main = replace(
        thread("MainThread", 100, 100, python=[runs, python_frame("<module>", 9)]),
        syscall=Syscall("poll", timed=False),
    )
    asks = python_frame("fetch", 40)
    task = Task(100, 0x70, "Task-1", "fetch", TaskState.WAITING, 0x60, None, (asks,))
    loop = EventLoop(100, 0x60, type_name, LoopState.STOPPED, None, None, 0, 0, 0)
    alone = capture(main)
    made = replace(alone, tasks=(task,), event_loops=(loop,))
    words = words_of(made, build(made))

    assert rests_of(words).of(main) is None
    assert words.has_no_runner(task) is unrun
    before = words_of(alone, build(alone))
    assert rests_of(before).of(main) is not None
