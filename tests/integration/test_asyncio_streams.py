"""Tasks that wait for each other over a connection whose two ends they have, and healthy twins."""

import time

import pytest

from hangtui.model import Certainty, Finding, Severity
from tests.integration.capturing import diagnose
from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_mechanisms import DEADLINE_S, looks
from tests.shares import captures

INSTALLED = [found for found in interpreters() if found.origin == "pyenv"]
under_each = pytest.mark.parametrize("interpreter", INSTALLED, ids=lambda one: one.id)
GOALS = {
    "answer": ("could send (writer.write(), asyncio_streams.py:", "write_eof()"),
    "half": ("could send (writer.write(), asyncio_streams.py:", "10 of 16 bytes have come"),
    "room": ("could make by reading (reader.read", "Read while you write"),
}


def told(pid: int, ids: set[str]) -> Finding:
    """The first finding, once it is one of these."""
    deadline = time.monotonic() + DEADLINE_S
    found = looks(pid)
    while found[0].id not in ids and time.monotonic() < deadline:
        found = looks(pid)
    return found[0]


@under_each
@pytest.mark.parametrize("name", GOALS)
def test_both_ends_wait_in_one_process(name: str, interpreter: Interpreter) -> None:
    with running("asyncio_streams", interpreter.path, asleep=False, arguments=(name,)) as target:
        first = told(target.pid, {"mutual-wait"})
    # Nothing but variables of these tasks leads to what each of the ends is written to by. Which
    # task a program began with was not noted before Python 3.8.
    sure = name == "answer" and interpreter.version not in ("3.6", "3.7")
    expected = Severity.ERROR if sure else Severity.WARNING
    assert (first.id, first.severity) == ("mutual-wait", expected)
    assert first.never_ends is (expected is Severity.ERROR)
    assert first.certainty is Certainty.INFERRED
    assert len(first.tasks) == 2
    said = " ".join((first.sentence, *first.evidence, *first.advice))
    for part in GOALS[name]:
        assert part in said


@under_each
@pytest.mark.parametrize("name", ["half", "room"])
def test_both_ends_wait_in_two_processes(name: str, interpreter: Interpreter) -> None:
    words = (name, "processes")
    with running("asyncio_streams", interpreter.path, asleep=False, arguments=words) as target:
        deadline = time.monotonic() + DEADLINE_S
        found = diagnose(target.pid, children=True).findings
        while found[0].id != "deadlock" and time.monotonic() < deadline:
            found = diagnose(target.pid, children=True).findings
    first = found[0]
    assert (first.id, first.severity) == ("deadlock", Severity.WARNING)
    assert len({task.pid for task in first.tasks}) == 2
    assert "the other end of which task" in first.sentence


@under_each
def test_who_has_the_other_end_and_does_not_come_to_write_is_told(
    interpreter: Interpreter,
) -> None:
    with running("asyncio_streams", interpreter.path, asleep=False, arguments=("deaf",)) as target:
        first = told(target.pid, {"quiet"})
    assert first.severity is Severity.NOTE  # somebody new may connect
    assert "task serve has the other end of the TCP connection to 127.0.0.1:" in first.sentence
    assert "for an unnamed asyncio.Event" in first.sentence


@under_each
@pytest.mark.parametrize("name", ["timer", "pipe", "ticker", "third"])
def test_somebody_else_is_to_begin(name: str, interpreter: Interpreter) -> None:
    with running("asyncio_streams", interpreter.path, asleep=False, arguments=(name,)) as target:
        found = [finding for _ in range(captures(3)) for finding in looks(target.pid)]
    assert [one.title for one in found if one.severity is not Severity.NOTE] == []


@under_each
@pytest.mark.parametrize("arguments", [(), ("reading",)])
def test_what_comes_over_a_stream_wakes_only_who_waits_there(
    arguments: tuple[str, ...], interpreter: Interpreter
) -> None:
    """The other end is another process's: it may send something at any time."""
    with running("asyncio_buffered", interpreter.path, arguments=arguments) as target:
        stalls = {"event-loop-stalled"}
        found = looks(target.pid)[0] if arguments else told(target.pid, stalls)
    stalled = not arguments
    assert (found.id == "event-loop-stalled") is stalled
    assert ("a connection at which a task waits" in found.sentence) is stalled
    if stalled:
        assert found.severity is Severity.ERROR
    else:
        assert found.severity is not Severity.ERROR


@pytest.mark.parametrize("interpreter", INSTALLED[-3:], ids=lambda one: one.id)
@pytest.mark.parametrize("how", ["open", "closed", "pair"])
def test_a_plain_socket_is_named_or_was_closed(how: str, interpreter: Interpreter) -> None:
    """Python 3.6's own methods for these are no coroutines."""
    with running("asyncio_sockets", interpreter.path, arguments=(how,)) as target:
        first = told(target.pid, {"event-loop-stalled", "quiet"})  # nobody has the other end but it
    named = {
        "open": "(loop.sock_recv on the TCP connection to 127.0.0.1:",
        "closed": "a socket that was closed or detached meanwhile (loop.sock_recv)",
        "pair": "(loop.sock_recv on a Unix connection, whose other end is open in this process "
        "itself (fd ",
    }
    assert named[how] in first.sentence


@under_each
@pytest.mark.parametrize("how", ["crossed", "one"])
def test_calls_queued_in_the_loops_of_threads_that_wait_for_each_other(
    how: str, interpreter: Interpreter
) -> None:
    with running("asyncio_crossed_calls", interpreter.path, arguments=(how,)) as target:
        first = told(target.pid, {"deadlock"}) if how == "crossed" else looks(target.pid)[0]
    if how == "one":
        assert first.severity is Severity.NOTE
        return
    assert (first.severity, first.certainty) == (Severity.ERROR, Certainty.PROVEN)
    assert "<lambda>, which would end the wait, is queued in" in first.sentence
