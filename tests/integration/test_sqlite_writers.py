"""Threads of one process that keep one another out of an SQLite database, really run."""

from functools import partial

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.capturing import once_seen
from tests.integration.targets import Interpreter, interpreters, running


def _looked_at(pid: int) -> tuple[Finding, ...]:
    return findings.run(take(CaptureRequest(pids=(pid,), follow=True), Looks(5, 2.5)))


def _says(kind: str, found: tuple[Finding, ...]) -> bool:
    first = next(iter(found), None)
    if first is None or (first.id, first.severity) != ("database-locked", Severity.WARNING):
        return False
    who = (
        "all who could give it up wait for save_order"
        if kind == "ring"
        else "import_at_hand has it and waits for save_order"
    )
    return who in first.title + first.sentence


@pytest.mark.parametrize("interpreter", interpreters(), ids=lambda one: one.id)
@pytest.mark.parametrize("kind", ["ring", "wrapped"])
def test_who_keeps_the_lock_waits_for_the_one_that_asks(
    interpreter: Interpreter, kind: str
) -> None:
    with running("sqlite_writers", interpreter.path, asleep=False, arguments=(kind,)) as target:
        found = once_seen(partial(_looked_at, target.pid), partial(_says, kind))

    assert _says(kind, found), found


@pytest.mark.parametrize("interpreter", interpreters(), ids=lambda one: one.id)
def test_who_write_in_turn_are_no_warning(interpreter: Interpreter) -> None:
    with running("sqlite_writers", interpreter.path, asleep=False, arguments=("turns",)) as target:
        found = _looked_at(target.pid)

    assert all(one.severity is Severity.NOTE for one in found), found
