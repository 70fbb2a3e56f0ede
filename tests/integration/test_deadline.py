"""A capture that is to be there by a given time, of a process that takes longer."""

import time

import pytest

from hangtui.backends.supervision.supervisor import LateError, Reader
from hangtui.provider import CaptureRequest
from tests.integration.targets import interpreters, running

_LONG_AGO = 0.0


def test_a_reader_that_is_given_up_is_started_anew() -> None:
    (interpreter,) = interpreters(("3.12",))[:1]
    with running("abba", interpreter.path) as target, Reader() as reader:
        request = CaptureRequest((target.pid,))
        with pytest.raises(LateError):
            list(reader.take(request, steps=True, until=_LONG_AGO))
        later = time.monotonic() + 60
        *_, last = reader.take(request, steps=True, until=later)
        assert last
