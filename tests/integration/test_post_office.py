"""Who waits for letters with a time limit, again and again, or at the end of a program: whoever may
bring one is told from nobody."""

from pathlib import Path

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.capturing import once_seen
from tests.integration.targets import interpreters, running

FOUND = [one.path for one in interpreters(("3.12",)) if one.origin == "pyenv"]
PYTHON = FOUND[0] if FOUND else Path()
pytestmark = pytest.mark.skipif(not FOUND, reason="there is no CPython 3.12")
OPEN = [
    "worker", "clock", "child", "handler", "served", "later", "ticked", "reader", "finalizer",
]  # fmt: skip
SHUT = {
    "exit": ("its exit waits for the thread take_letters", "again and again, and does nothing"),
    "flag": ("waits for the thread watch_the_door", "closing.is_set()"),
    "pool": ("(take_letters) for ", "Nobody is left who could end that"),
    "pairs": ("(listen)", "whose other end its own process has, where only clerk_"),
    "tasks": ("(sort_in_task) for ", "(wait_for_bell) for bell"),
}


def told(pid: int) -> list[Finding]:
    return list(findings.run(take(CaptureRequest(pids=(pid,), follow=True), Looks(5, 2.2))))


def is_error(found: list[Finding]) -> bool:
    return any(one.severity is Severity.ERROR for one in found[:1])


@pytest.mark.parametrize("kind", OPEN)
def test_nothing_is_wrong_while_somebody_may_bring_a_letter(kind: str) -> None:
    with running("post_office", PYTHON, asleep=False, arguments=(kind,)) as target:
        found = told(target.pid)

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []


@pytest.mark.parametrize("kind", SHUT)
def test_what_nobody_brings_is_an_error(kind: str) -> None:
    with running("post_office", PYTHON, asleep=False, arguments=(kind,)) as target:
        found = once_seen(lambda: told(target.pid), is_error)
    said = f"{found[0].title} {found[0].sentence}"

    assert is_error(found), said
    for part in SHUT[kind]:
        assert part in said, said


def test_a_stopped_process_may_be_let_go_on() -> None:
    with running("post_office", PYTHON, asleep=False, arguments=("stopped",)) as target:
        found = told(target.pid)

    assert found[0].id == "held-from-outside", found[0].title
    assert not any(one.severity is Severity.ERROR for one in found)
