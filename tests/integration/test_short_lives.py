"""Processes that come and go while they are captured: each is told of in true words, and the fix
that goes with a notice would mend it."""

import re
from collections import Counter

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.backends.capture.collector import collect
from hangtui.findings import run
from hangtui.model import Notice, Severity
from hangtui.provider import CaptureRequest, NativeMode
from tests.integration.targets import Interpreter, interpreters, running
from tests.notices import CROWDED

_TRUE = (
    r"process N ended while it was read",
    r"(a child process|N child processes) of N ended before being read \([N, .]+\)",
    r"process N has ended; its parent N has not reaped it",
    r".*: started N\.N s ago, it may not have made its interpreter ready yet",
    r"process N became another program while it was read",
    r"no CPython in this process: only native facts are read",
    r"N thread\(s\) ran: their native stacks can only be read by stopping them",
)
_LOOK_AGAIN = ("ready yet", "became another program")
"""What another look mends; the other ends of processes are mended by nothing."""

CAPTURES, MOST = 3, 40
"""And more until one was told of that ended meanwhile."""
_PYTHONS = interpreters(("3.8", "3.12", "3.13"))

pytestmark = pytest.mark.flaky(reruns=0)


def _said(notice: Notice) -> str:
    return re.sub(r"\d+", "N", notice.message)


@pytest.mark.parametrize("program", ["interpreters", "any_child", "children", "pools"])
@pytest.mark.parametrize("interpreter", _PYTHONS, ids=lambda one: one.id)
def test_notices_of_processes_that_end_or_start_meanwhile(
    program: str, interpreter: Interpreter
) -> None:
    said: Counter[str] = Counter()
    place, captures = interpreter.path, 0
    with running("churn_channels", place, asleep=False, arguments=(program,)) as target:
        while captures < CAPTURES or not any("ended" in text for text in said):
            assert captures < MOST, said
            captures += 1
            request = CaptureRequest((target.pid,), children=True, native=NativeMode.AUTO)
            *_, capture = collect(request)
            for notice in capture.notices:
                text = _said(notice)
                if text.startswith(CROWDED):
                    continue
                said[text] += 1
                assert any(re.fullmatch(form, text) for form in _TRUE), notice
                if "ended" in text:
                    assert notice.fix is None
                if any(part in text for part in _LOOK_AGAIN):
                    assert (notice.fix or "").startswith(f"hangtui dump {notice.pid}")
            findings = run(capture, build(capture))
            assert not [f for f in findings if f.severity is not Severity.NOTE], findings
