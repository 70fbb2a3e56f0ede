"""Methods of protocols that only what comes over an open connection has called."""

from dataclasses import replace

from hangtui.analysis import waitgraph
from hangtui.findings.protocol_calls import told_without, without_connection
from hangtui.findings.words import Words, words_of
from hangtui.model import EventLoop, LoopState
from tests.unit.factories import capture, thread

RECEIVES, OTHER = "Line.data_received (main.py:30)", "Line.finish (main.py:40)"
HEARS = "Radio.datagram_received (main.py:27)"
PID = 100


def words(*protocols: tuple[str, ...] | None) -> Words:
    """Of a process with these event loops."""
    loops = tuple(
        EventLoop(PID, number, "asyncio.Loop", LoopState.IDLE, PID, protocols=one)
        for number, one in enumerate(protocols)
    )
    made = replace(capture(thread("MainThread", PID, PID)), event_loops=loops)
    return words_of(made, waitgraph.build(made))


def test_no_open_connection_has_such_a_protocol() -> None:
    made = words(("Server", "Protocol"))
    assert without_connection([RECEIVES], PID, made) == ["Line"]
    assert "over an open connection of Line, and it has none" in told_without([RECEIVES], PID, made)


def test_one_of_them_has() -> None:
    assert without_connection([RECEIVES], PID, words((), ("SafeLine", "Line"))) == []
    assert told_without([RECEIVES], PID, words(("Line",))) == ""


def test_it_is_not_known() -> None:
    assert without_connection([RECEIVES], PID, words()) == []
    assert without_connection([RECEIVES], PID, words(None, ())) == []


def test_others_may_be_called_by_anybody() -> None:
    assert without_connection([RECEIVES, OTHER], PID, words(())) == []
    assert without_connection([], PID, words(())) == []
    assert told_without([], PID, words(())) == ""


def test_what_a_datagram_was_to_bring() -> None:
    said = told_without([HEARS], PID, words(("Radio", "DatagramProtocol")))
    assert said == " A datagram may be lost on its way, and is not sent again by itself."
