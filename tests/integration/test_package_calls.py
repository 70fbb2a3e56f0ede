"""What a program has asked an installed package for, which waits for a limited time, again and
again: an answer that comes is told from one that never does."""

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.capturing import once_seen
from tests.integration.targets import Interpreter, interpreters, running
from tests.shares import captures

INSTALLED = interpreters(("3.12", "3.13"))  # before, another task waits for what has a time limit
under_each = pytest.mark.parametrize("interpreter", INSTALLED, ids=lambda one: one.id)


def told(pid: int) -> list[Finding]:
    return list(findings.run(take(CaptureRequest(pids=(pid,), follow=True), Looks(5, 2.0))))


def is_bad(found: list[Finding]) -> bool:
    return any(one.severity is not Severity.NOTE for one in found[:1])


@under_each
@pytest.mark.parametrize("kind", ["rpc", "jobs"])
def test_who_gets_what_it_asks_for_is_not_warned_of(kind: str, interpreter: Interpreter) -> None:
    arguments = (kind, "slow")
    with running("package_calls", interpreter.path, asleep=False, arguments=arguments) as target:
        for _ in range(captures(2)):
            found = told(target.pid)
            assert not is_bad(found), found[0].title


@under_each
@pytest.mark.parametrize(
    ("kind", "state", "said"),
    [
        ("rpc", "silent", ("package_calls.py:40 (ask), in wirecall", "server waits at")),
        ("jobs", "died", ("in jobkit", "Runner._work", "which nobody runs")),
        ("jobs", "locked", ("oven", "(bake)", "without giving it back")),
    ],
)
def test_who_never_gets_it_is(
    kind: str, state: str, said: tuple[str, ...], interpreter: Interpreter
) -> None:
    arguments = (kind, state)
    with running("package_calls", interpreter.path, asleep=False, arguments=arguments) as target:
        found = once_seen(lambda: told(target.pid), is_bad)
    first = found[0]

    assert is_bad(found), first.title
    assert first.severity is Severity.ERROR or kind == "rpc"
    for part in said:
        assert part in f"{first.title} {first.sentence}"
