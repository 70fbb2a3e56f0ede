"""Who has started both a process that is held up and the one that holds it up."""

from dataclasses import replace

from hangtui.analysis.waitgraph import build
from hangtui.findings.outside.started_both import told_parent
from hangtui.findings.words import words_of
from hangtui.model import Capture, NodeKind
from tests.unit.factories import capture, lock, python_frame, thread, waits

PARENT, ONE, OTHER = 100, 101, 102


def family(*, joins: bool = False, strangers: bool = False) -> Capture:
    """A parent that waits for an event, or for the end of a child, and its two children."""
    main = thread("MainThread", PARENT, PARENT, python=[python_frame("connect", 59)])
    children = [
        thread("MainThread", pid, pid, python=[python_frame("serve")]) for pid in (ONE, OTHER)
    ]
    event = lock("Event at 0x1", 0x1, NodeKind.EVENT)
    made = capture(main, *children, resources=[event])
    parent, *others = made.processes
    born = [replace(one, ppid=1 if strangers else PARENT) for one in others]
    target = waits(main, others[0] if joins else event)
    return replace(made, processes=(parent, *born), waits=(target,))


def told(made: Capture, other: int = OTHER) -> str:
    return told_parent(ONE, other, words_of(made, build(made)))


def test_what_the_parent_of_both_waits_for_is_told() -> None:
    start = f" Process {PARENT} has started both: there, MainThread of process {PARENT} waits at "

    assert told(family()).startswith(f"{start}main.py:59 (connect) for ")


def test_nothing_is_said_of_others() -> None:
    assert told(family(joins=True)) == ""
    assert told(family(strangers=True)) == ""
    assert told(family(), ONE) == ""
