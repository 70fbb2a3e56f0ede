"""A program that has ended, and whose exit joins a child process."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import UNIX, Finding, Progress, Severity, Thread, Watched
from tests.unit.factories import capture, process, python_frame, thread, waits

ZMQ = "/venv/lib/python3.11/site-packages/zmq/sugar/socket.py"
LIB = "/usr/lib/python3.11/multiprocessing"


def _stands(pid: int, *functions: tuple[str, str]) -> Thread:
    stack = [python_frame(name, 30, file) for name, file in functions]
    return replace(thread("MainThread", pid, python=stack), pid=pid)


def _found(*, hears: bool, beside: bool = False) -> Finding:
    """*hears*: the child waits for a message of ZeroMQ, from its parent; else it sleeps.
    *beside*: the program has another thread at a line of its own."""
    parent = _stands(
        101, ("Popen.wait", f"{LIB}/popen_fork.py"), ("_exit_function", f"{LIB}/util.py")
    )
    within = [("Socket.recv", ZMQ)] if hears else []
    engine = _stands(201, *within, ("run_engine", "/app/main.py"))
    native = replace(thread("ZMQbg/IO/0", 202, python=[]), pid=201, is_python=False)
    feeder = replace(thread("feeder", 102, python=[python_frame("feed", 9)]), pid=101)
    child = process(201, engine, native)
    made = capture(
        processes=(process(101, parent, *([feeder] if beside else [])), child),
        waits=[waits(parent, child, operation="wait")],
    )
    seen = [Progress(one.id, 5, 4.0, 4.0, 0.0, same_stack=True, same_line=True)
            for one in (parent, engine)]  # fmt: skip
    made = replace(made, progress=tuple(seen), watched=(Watched(native.id, UNIX, None, (101,)),))
    return next(one for one in findings.run(made) if one.id == "waiting-for-process")


def test_a_child_that_only_the_ended_program_could_tell_never_ends() -> None:
    finding = _found(hears=True)
    assert finding.severity is Severity.WARNING
    assert finding.title.startswith("The program has finished, but its exit waits for ")
    assert "(run_engine)" in finding.title
    assert "Only process 101 could send that" in finding.sentence


@pytest.mark.parametrize(("hears", "beside"), [(False, False), (True, True)])
def test_a_child_that_may_be_at_work_or_be_told_is_a_note(hears: bool, beside: bool) -> None:
    finding = _found(hears=hears, beside=beside)
    assert finding.severity is Severity.NOTE
    assert "could send that" not in finding.sentence
