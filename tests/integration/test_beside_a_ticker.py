"""What part of a program waits for in vain, while its event loop goes on with other things."""

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.targets import Interpreter, interpreters, running

EVERY = [
    pytest.param(found, id=found.id)
    for found in interpreters(("3.8", "3.10", "3.11", "3.12", "3.13"))
    if found.origin == "pyenv"
]


def looks(interpreter: Interpreter, *arguments: str) -> tuple[Finding, ...]:
    with running("beside_ticker", interpreter.path, asleep=False, arguments=arguments) as target:
        capture = take(CaptureRequest(pids=(target.pid,), follow=True), Looks(4, 1.6))
    assert any(thread.python_stack for thread in capture.threads()), capture.notices
    return findings.run(capture)


@pytest.mark.parametrize("interpreter", EVERY)
def test_nothing_but_frames_that_wait_leads_to_what_is_waited_for(interpreter: Interpreter) -> None:
    first = looks(interpreter, "collected")[0]

    assert first.severity is not Severity.NOTE
    assert "collect waits at beside_ticker.py" in first.title
    assert "for an item of parts; produce (beside_ticker.py" in first.title


@pytest.mark.parametrize("interpreter", EVERY)
def test_who_took_from_a_queue_in_a_loop_does_so_no_longer(interpreter: Interpreter) -> None:
    first = looks(interpreter, "mailed")[0]

    assert first.severity is not Severity.NOTE
    assert "Office.letters" in first.title
    assert "deal_with_letters (beside_ticker.py" in first.title
    assert "a loop, would end that, and nobody runs it" in first.title


@pytest.mark.parametrize("interpreter", EVERY)
def test_what_would_end_a_wait_lies_behind_who_waits(interpreter: Interpreter) -> None:
    first = looks(interpreter, "handed")[0]

    assert first.severity is not Severity.NOTE
    assert "1 item lies behind, and would end that: " in first.title


@pytest.mark.parametrize("name", ["collected", "mailed", "handed"])
@pytest.mark.parametrize("interpreter", EVERY)
def test_who_is_slow_is_no_alarm(name: str, interpreter: Interpreter) -> None:
    found = looks(interpreter, name, "healthy")
    assert [one.title for one in found if one.severity is not Severity.NOTE] == []


@pytest.mark.parametrize(("name", "idle"), [("rests", True), ("looks", False)])
@pytest.mark.parametrize("interpreter", EVERY)
def test_who_only_ticks_rests_and_who_looks_for_something_does_not(
    name: str, interpreter: Interpreter, *, idle: bool
) -> None:
    found = looks(interpreter, name)

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []
    assert (found[0].id == "idle") is idle
    assert idle or "task look" in found[0].title
