"""Who is told to be idle, of real processes; and their twins, which hang, never are."""

import time

import pytest

from hangtui import findings
from hangtui.analysis.progress import with_progress
from hangtui.backends.capture.collector import collect
from hangtui.model import Capture, Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.targets import Interpreter, interpreters, running

PYTHONS = [
    pytest.param(found, id=found.id)
    for found in interpreters(("3.8", "3.11", "3.12", "3.13"))
    if found.origin == "pyenv"
]
LOOKS = 3
BETWEEN_S = 0.2


def looked_at(pid: int) -> tuple[Finding, ...]:
    """What several looks in a row find."""
    captures: list[Capture] = []
    for look in range(LOOKS):
        time.sleep(BETWEEN_S if look else 0)  # as `check` does: what polls wakes up meanwhile
        *_, capture = collect(CaptureRequest(pids=(pid,)))
        captures.append(capture)
    return findings.run(with_progress(captures))


@pytest.mark.parametrize("interpreter", PYTHONS)
@pytest.mark.parametrize("name", ["http_server", "pool", "consumers", "streams"])
def test_what_has_nothing_to_do_is_idle(name: str, interpreter: Interpreter) -> None:
    with running("rests", interpreter.path, arguments=(name,)) as target:
        found = looked_at(target.pid)
    assert [(one.id, one.severity) for one in found] == [("idle", Severity.NOTE)]


@pytest.mark.parametrize("interpreter", PYTHONS)
@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("http_handler_hangs", "wait_for_ever"),
        ("pool_task_hangs", "take"),
        ("consumer_waits_within", "take"),
        ("streams_task_hangs", "refresh"),
        ("polls", "wait_until_done"),
    ],
)
def test_what_waits_below_its_own_lines_is_not(
    name: str, function: str, interpreter: Interpreter
) -> None:
    with running("rests", interpreter.path, asleep=name != "polls", arguments=(name,)) as target:
        found = looked_at(target.pid)
    assert {"idle", "alive", "working"}.isdisjoint(one.id for one in found)
    assert found[0].where is not None
    assert found[0].where.filename.endswith("rests.py")
    assert function in found[0].sentence
