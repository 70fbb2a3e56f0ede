"""Threads that were started and cannot begin any more."""

from dataclasses import replace

from hangtui import findings
from hangtui.model import Capture, Certainty, GilState, NodeKind, PythonInfo, Severity, Thread
from tests.unit.factories import capture, lock, only, python_frame, stood, thread, waits

FILE = "/usr/lib/python3.12/threading.py"
START = (
    python_frame("Condition.wait", 1, FILE),
    python_frame("Event.wait", 2, FILE),
    python_frame("Thread.start", 3, FILE),
    python_frame("take", 46),
)
EVENT = lock("Traced._started", 0x1, NodeKind.EVENT)


def starting(*others: Thread, steady: bool = True, names: tuple[str, ...] = ("gifts",)) -> Capture:
    main = thread("MainThread", python=list(START))
    made = capture(main, *others, resources=[EVENT], waits=[waits(main, EVENT)])
    (process,) = made.processes
    python = PythonInfo("3.12.1", not_begun=names)
    return replace(made, processes=(replace(process, python=python, steady=steady),))


def ids(made: Capture) -> set[str]:
    return {one.id for one in findings.run(made)}


def test_a_thread_that_ended_before_it_began() -> None:
    serving = thread("serving", 102, python=[python_frame("serve", 9)])
    finding = only(stood(starting(serving)), "thread-never-began")

    assert (finding.severity, finding.certainty) == (Severity.ERROR, Certainty.PROVEN)
    assert finding.title == (
        "MainThread waits at main.py:46 (take) for a thread to begin that has ended: gifts"
    )
    assert "it has ended before" in finding.sentence


def test_it_is_told_once_and_without_a_second_that_passed_as_a_warning() -> None:
    found = findings.run(starting())

    assert [one.id for one in found if one.severity is not Severity.NOTE] == ["thread-never-began"]
    assert found[0].severity is Severity.WARNING


def test_one_that_may_begin_yet_is_waited_for() -> None:
    new = thread("new", 102, python=[])
    native = replace(thread("pool", 102), is_python=False, python_stack=None)
    waiting = replace(native, gil=GilState.WAITS)
    unsteady, none = starting(steady=False), starting(names=())

    for made in (starting(new), starting(native), stood(starting(waiting)), unsteady, none):
        assert "thread-never-began" not in ids(made)


def test_with_threads_of_c_code_it_is_not_sure() -> None:
    native = replace(thread("pool", 102), is_python=False, python_stack=None)
    finding = only(stood(starting(native)), "thread-never-began")

    assert (finding.severity, finding.certainty) == (Severity.WARNING, Certainty.INFERRED)
    assert "it may have ended before" in finding.sentence
