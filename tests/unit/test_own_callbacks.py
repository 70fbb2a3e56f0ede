"""Callbacks that wait for what only another callback of the same thread would bring."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    Finding,
    NodeKind,
    Progress,
    PythonFrame,
    Severity,
    Sleep,
    Syscall,
    Thread,
    Traffic,
    Unattended,
)
from tests.unit.factories import capture, lock, python_frame, thread, waits

PACKAGE = "/venv/lib/python3.12/site-packages/circuits/core/manager.py"
NAPS = Syscall("clock_nanosleep", sleep=Sleep(0.1, 0.05))
HEARD = replace(
    lock("Hiker.heard", 0x5000, NodeKind.EVENT),
    enders=("Hiker.echoed (main.py:42)",),
    wakers_known=True,
)


def of_package(function: str) -> PythonFrame:
    return replace(python_frame(function, 644), filename=PACKAGE)


VALLEY = thread(
    "valley",
    101,
    python=[python_frame("Hiker.step", 38), of_package("Manager._dispatcher")],
)
HERD = replace(
    thread("herd", 102, python=[python_frame("Herd.run", 9)], syscall=NAPS, still=False), runs=9
)


def told(
    waiter: Thread = VALLEY,
    other: Thread = HERD,
    ender: str | None = None,
    alike: str | None = None,
    unread: int = 0,
) -> list[Finding]:
    main = thread("MainThread", 100, python=[python_frame("main", 30)], syscall=NAPS, still=False)
    resource = replace(HEARD, enders=(ender,)) if ender else HEARD
    resource = replace(HEARD, enders=(), alike=(alike,)) if alike else resource
    made: Capture = capture(
        main, waiter, other, waits=[waits(waiter, resource)], resources=[resource]
    )
    seen = tuple(
        Progress(one.id, 5, 2.0, 2.0, 2.0, same_stack=True, same_line=True, wakes=0)
        for one in (waiter,)
    )
    traffic = Traffic(9.0, 9.0, sent_last=False, unread=unread)
    left = Unattended(main.pid, "TCP connection to 10.0.0.1:80", "fd 7", traffic)
    made = replace(made, progress=seen, unattended=(left,) if unread else ())
    return [one for one in findings.run(made) if "can call only after that" in one.title]


def test_the_package_cannot_call_it_meanwhile() -> None:
    (found,) = told()

    assert found.severity is Severity.WARNING
    assert found.title.endswith(
        "; Hiker.echoed (main.py:42) is to set it, which circuits, that has called main.py:38 "
        "(Hiker.step) in this thread, can call only after that"
    )


@pytest.mark.parametrize(
    ("waiter", "other", "ender"),
    [
        (VALLEY, replace(HERD, python_stack=(of_package("Manager.run"),)), None),
        (VALLEY, HERD, "Cliff.shout (main.py:50)"),
        (replace(VALLEY, python_stack=(VALLEY.python_stack or ())[:1]), HERD, None),
    ],
)
def test_others_may_call_it(waiter: Thread, other: Thread, ender: str | None) -> None:
    assert told(waiter, other, ender) == []


def test_the_very_function_that_waits_would_be_called_once_more() -> None:
    (found,) = told(alike="Hiker.step (main.py:36)", unread=36)

    assert found.severity is Severity.WARNING
    assert "Hiker.step (main.py:36) is to set it, which circuits, that" in found.title
    assert "would do so, which this wait is inside of: this thread comes" in found.sentence


def test_another_connection_may_bring_it_where_nothing_lies_unread() -> None:
    assert told(alike="Hiker.step (main.py:36)") == []
