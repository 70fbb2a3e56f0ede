"""Processes that a signal has stopped, and who waits for what they had to do."""

from dataclasses import replace

from hangtui import findings
from hangtui.model import (
    Capture,
    Child,
    Process,
    Progress,
    Surroundings,
    Task,
    TaskState,
    Thread,
    Watched,
)
from tests.unit.factories import capture, process, python_frame, thread, waits

LIB = "/venv/lib/python3.11/site-packages/optuna/study.py"


def _asking() -> Thread:
    stack = [python_frame("Study.optimize", 502, LIB), python_frame("tune", 30, "/app/main.py")]
    return thread("MainThread", 100, 100, python=stack)


def _served(*peers: int) -> Capture:
    stopped = process(200, thread("MainThread", 200, 200, state="T"), script="store.py")
    native = replace(thread("event_engine", 101, 100, python=[]), is_python=False)
    made = replace(
        capture(), processes=(process(100, _asking(), native), replace(stopped, state="T"))
    )
    return replace(made, watched=(Watched(native.id, "TCP connection to ::1:9", None, peers),))


def test_who_waits_over_connections_that_lead_to_it_alone() -> None:
    first = findings.run(_served(200))[0]
    assert first.id == "held-from-outside"
    assert first.title.endswith("; MainThread of process 100 waits for it at main.py:30 (tune)")
    assert "in optuna, and the only connections that native threads of its process watch" in (
        first.sentence
    )


def test_other_connections_may_bring_what_is_waited_for() -> None:
    made = _served(200)
    more = replace(made.watched[0], peers=(7,))
    first = findings.run(replace(made, watched=(*made.watched, more)))[0]
    assert "waits for it" not in first.title
    assert "waits for it" not in findings.run(_served())[0].title


def _parent(state: str) -> Process:
    child = Child(300, "wandb-core", state)
    return replace(process(100, _asking()), around=Surroundings(children=(child,)))


def _said(state: str) -> str:
    made = replace(capture(), processes=(_parent(state),))
    made = replace(
        made,
        progress=(Progress(_asking().id, 5, 4.0, 4.0, 0.0, same_stack=True, same_line=True),),
    )
    found = next(one for one in findings.run(made) if one.id == "waiting-in-library")
    return f"{found.title} | {found.sentence}"


def test_a_child_that_runs_no_python_is_stopped() -> None:
    title, sentence = _said("T").split(" | ")
    assert title.endswith("; its child wandb-core (process 300) is stopped by a signal")
    assert "and goes on when it gets SIGCONT: what it had to do is not done before." in sentence


def test_a_child_that_runs_is_none_of_these() -> None:
    assert "stopped" not in _said("S")


def test_a_task_that_waits_for_it_is_told_with_it() -> None:
    main = thread("MainThread", 100, 100, python=[python_frame("select", 7)])
    task = replace(
        Task(100, 1, "Task-1", "end", TaskState.WAITING, 9, 100),
        python_stack=(python_frame("Press.end", 12),),
    )
    stopped = process(200, thread("MainThread", 200, 200, state="T"), script="press.py")
    made = replace(capture(), processes=(process(100, main), replace(stopped, state="T")))
    made = replace(made, tasks=(task,), waits=(waits(task.id, stopped),))
    first = findings.run(made)[0]
    assert first.title.endswith("; task end waits for it at main.py:12 (Press.end)")
    assert task.id in first.tasks
