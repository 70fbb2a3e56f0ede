"""What is said of a thread that waits inside the handler of a signal."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import Certainty, PythonFrame
from tests.unit.factories import capture, holds, lock, python_frame, thread, waits

HANDLER = replace(python_frame("rotate", 16), signal="SIGHUP")
WRITER = python_frame("write_entries", 29)


@pytest.mark.parametrize(
    ("stack", "said"),
    [
        (
            (HANDLER, WRITER),
            " rotate is the handler of SIGHUP, which interrupted main.py:29 (write_entries)",
        ),
        ((python_frame("open_ledger", 12), HANDLER, WRITER), "handler of SIGHUP"),
        ((replace(HANDLER, signal=None), WRITER), None),
        ((HANDLER,), None),
    ],
    ids=["it waits itself", "it called who waits", "no handler", "nothing interrupted"],
)
def test_the_signal_that_led_to_a_wait(stack: tuple[PythonFrame, ...], said: str | None) -> None:
    main = thread("MainThread", python=stack)
    ledger = lock("ledger_lock", 0x1)
    held = [holds(ledger, main, Certainty.PROVEN)]
    made = capture(main, resources=[ledger], waits=[waits(main, ledger)], holds=held)
    (finding, *_) = findings.run(made)

    assert ("handler of" in finding.sentence) is (said is not None)
    assert (said or "") in finding.sentence
