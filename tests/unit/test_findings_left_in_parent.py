"""A thread of a fork waits for one of a library that the parent alone has."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    Finding,
    NodeKind,
    Process,
    Progress,
    Severity,
    Surroundings,
    Syscall,
)
from tests.unit.factories import capture, lock, native_frame, process, python_frame, thread, waits

PARENT, CHILD = 90, 100
MANAGER = "/venv/lib/python3.11/site-packages/wandb/sdk/lib/asyncio_manager.py"
LIBRARY = "/usr/lib/python3.11"
SERVES = thread(
    "wandb-AsyncioManager",
    91,
    PARENT,
    python=[
        python_frame("EpollSelector.select", 468, f"{LIBRARY}/selectors.py"),
        python_frame("AsyncioManager._main", 237, MANAGER),
        python_frame("Thread.run", 982, f"{LIBRARY}/threading.py"),
    ],
)
WAITS = thread(
    "MainThread",
    CHILD,
    CHILD,
    python=[
        python_frame("Condition.wait", 327, f"{LIBRARY}/threading.py", entry=False),
        python_frame("AsyncioManager.run", 137, MANAGER, entry=False),
        python_frame("finalize.__call__", 590, f"{LIBRARY}/weakref.py"),
        python_frame("forget_api", 24),
    ],
)
FUTURE = lock("Future", 0x1, NodeKind.FUTURE, CHILD)


def forked(
    parent: Process | None,
    waiting: Process | None = None,
    signals: tuple[str, ...] | None = ("SIGTERM",),
) -> Capture:
    around = Surroundings(forked_from=PARENT, handles_signals=signals, children=())
    child = replace(waiting or process(CHILD, WAITS), around=around, steady=True)
    seen = Progress(WAITS.id, 5, 2.0, 2.0, 2.0, same_stack=True, same_line=True)
    made = capture(
        resources=[FUTURE],
        waits=[waits(WAITS, FUTURE)],
        processes=[child, *([parent] if parent else [])],
    )
    return replace(made, progress=(seen,))


def blocked(made: Capture) -> Finding:
    return next(one for one in findings.run(made) if one.id == "finalizer-blocked")


def test_it_is_told_who_was_left_behind() -> None:
    found = blocked(forked(process(PARENT, thread("MainThread", PARENT, PARENT), SERVES)))

    assert found.severity is Severity.ERROR
    assert found.title.endswith(", after a fork that left wandb-AsyncioManager of wandb behind")
    assert (
        "Nobody here can end that. wandb-AsyncioManager of process 90, from which it was forked, "
        "runs wandb's code: fork() copies only the thread that calls it."
    ) in found.sentence
    assert "only after the fork" in found.advice[0]


@pytest.mark.parametrize(
    "made",
    [
        forked(None),
        forked(process(PARENT, thread("MainThread", PARENT, PARENT))),
        forked(
            process(PARENT, SERVES),
            process(CHILD, WAITS, thread("other", 101, CHILD, python=[python_frame("serve")])),
        ),
    ],
)
def test_where_nobody_is_known_to_be_left_behind_that_is_not_said(made: Capture) -> None:
    found = blocked(made)

    assert found.severity is Severity.WARNING
    assert "fork" not in found.title
    assert "Who should end that is not known." in found.sentence


@pytest.mark.parametrize("signals", [None, ("SIGUSR1",)])
def test_what_a_signal_may_end_is_no_error(signals: tuple[str, ...] | None) -> None:
    found = blocked(forked(process(PARENT, SERVES), signals=signals))

    assert found.severity is Severity.WARNING
    assert "after a fork" in found.title


@pytest.mark.parametrize("kind", [NodeKind.LOCK, NodeKind.PIPE])
@pytest.mark.parametrize("runs", ["finalize_modules", "atexit_callfuncs"])
def test_a_finalizer_that_the_ending_interpreter_runs_waits_for_threads_that_are_stopped(
    kind: NodeKind, runs: str
) -> None:
    main = thread(
        "MainThread",
        PARENT,
        PARENT,
        python=[
            python_frame("Journal.write", 13, entry=False),
            python_frame("Journal.__del__", 17),
        ],
        native=[native_frame(runs), native_frame("Py_FinalizeEx")],
    )
    follower = thread(
        "python", 91, PARENT, syscall=Syscall("recvfrom"), native=[native_frame("thread_run")]
    )
    follower = replace(follower, is_python=False)
    wanted = lock("Journal.lock", 0x1, kind, PARENT)
    seen = Progress(main.id, 5, 2.0, 2.0, 2.0, same_stack=True, same_line=True)
    ends = replace(
        process(PARENT, main, follower), around=Surroundings(handles_signals=()), steady=True
    )
    made = capture(resources=[wanted], waits=[waits(main, wanted)])
    made = replace(made, processes=(ends,), progress=(seen,))
    (found,) = (one for one in findings.run(made) if one.id == "finalizer-blocked")

    at_exit = runs == "finalize_modules"
    assert (found.severity is Severity.ERROR) is (at_exit and kind is NodeKind.LOCK)
    assert found.title.endswith("ran it as it ended") is at_exit
    assert ("which the interpreter has stopped with it (TID 91 in recvfrom)" in found.sentence) is (
        at_exit
    )
