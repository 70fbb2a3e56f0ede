"""What a session says of processes that make no progress, without any process."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from hangtui.backends.capture.subjects import MEMORY
from hangtui.backends.monitor import session as module
from hangtui.backends.monitor.hang_detector import Patience, Stuck
from hangtui.backends.monitor.session import Session
from hangtui.model import Capture, Notice, Source, TargetError
from hangtui.provider import CaptureRequest
from tests.unit.factories import capture, thread

LATE = Notice(Source.PROCFS, "process 100: to read its memory takes more than 2.0 s", pid=100)


def said_of(
    monkeypatch: pytest.MonkeyPatch, look: Capture | TargetError, *, whole: bool = True
) -> list[str]:
    """What is said in two looks at a process of which *look* is all that is read."""

    def read(_request: CaptureRequest) -> Iterator[Capture]:
        if isinstance(look, TargetError):
            raise look
        yield look

    monkeypatch.setattr(module, "_read", read)
    said: list[str] = []
    session = Session(lambda _caught: False, said.append, hang_after_s=1.0)
    for seconds in (1.0, 2.0):
        session._judge(Patience(1.0), Stuck(100, seconds, whole))
    return said


def unread(**changes: object) -> Capture:
    made = capture(thread("MainThread"))
    (process,) = made.processes
    return replace(made, processes=(replace(process, **changes),), notices=(LATE,))  # type: ignore[arg-type]


def test_who_makes_no_progress_and_cannot_be_read_is_told_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (said,) = said_of(monkeypatch, unread(incomplete=(MEMORY,)))

    assert (
        said == f"hangtui: process 100: no progress for 1 s, and why is not known: {LATE.message}"
    )


def test_an_error_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    (said,) = said_of(monkeypatch, TargetError("process 100 may not be read"))

    assert said.endswith("why is not known: process 100 may not be read")


def test_nothing_is_said_of_what_was_read_or_of_single_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert not said_of(monkeypatch, unread())
    assert not said_of(monkeypatch, unread(incomplete=(MEMORY,)), whole=False)
