"""Captures through the pipe between the process that reads and the one that asked."""

import os

import pytest

from hangtui.backends.capture.collector import collect
from hangtui.backends.supervision import flat
from hangtui.provider import CaptureRequest, NativeMode


def test_a_capture_comes_out_as_it_went_in() -> None:
    """Every class, tuple and enumeration of a real capture is the same again."""
    *_, capture = collect(CaptureRequest((os.getppid(),), native=NativeMode.NONE))
    again = flat.decode(flat.encode(capture))
    assert repr(again) == repr(capture)


def test_nothing_but_a_capture_comes_out() -> None:
    """A list that names no class of the model, or another one than a capture, is refused."""
    for line in (b"[]", b"[99999]", b"[-1]", b"1", b'["os", "x"]'):
        with pytest.raises((ValueError, TypeError, LookupError)):
            flat.decode(line)
