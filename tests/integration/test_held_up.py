"""Programs of one shape each, healthy beside hung: a lock that a loop tries, the callback of a
pool, the handler of a signal, the exit behind a pool of processes, a service behind a service."""

import pytest

from hangtui.model import Severity
from tests.integration.capturing import once_seen
from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_near_ends import told
from tests.shares import captures

INSTALLED = interpreters(("3.9", "3.13"))
under_each = pytest.mark.parametrize("interpreter", INSTALLED, ids=lambda one: one.id)
HUNG = {
    "tried": ("MainThread waits at", "for Ledger.lock", "archiver holds"),
    "callback": ("only Thread-3", "waits at", "Renderer.slots"),
    "handler": ("Importer.jobs", "is the handler of SIGUSR1"),
}
SLOW = ("tried", "callback", "handler", "exit", "chain")


def said(pid: int) -> list[str]:
    return [f"{one.title} {one.sentence}" for one in told(pid)]


@under_each
@pytest.mark.parametrize("kind", HUNG)
def test_who_keeps_it_is_told(kind: str, interpreter: Interpreter) -> None:
    def whole(text: str) -> bool:
        return all(part in text for part in HUNG[kind])

    with running("held_up", interpreter.path, asleep=False, arguments=(kind, "hung")) as target:
        found = once_seen(lambda: said(target.pid), lambda said: any(map(whole, said)))
    assert any(map(whole, found)), found


@pytest.mark.flaky(reruns=0)
@pytest.mark.parametrize("kind", SLOW)
def test_who_takes_its_time_is_not_warned_of(kind: str) -> None:
    interpreter = INSTALLED[-1]
    with running("held_up", interpreter.path, asleep=False, arguments=(kind, "slow")) as target:
        for _ in range(captures(3)):
            found = [one for one in told(target.pid, 4) if one.severity is not Severity.NOTE]
            assert not found, f"{found[0].title} {found[0].sentence}"
