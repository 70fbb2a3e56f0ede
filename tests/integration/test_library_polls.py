"""Loops that sleep in their library's own sleep until something has changed, really run."""

from functools import partial

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.capturing import once_seen
from tests.integration.targets import Interpreter, running
from tests.integration.test_pools import VENVS, having

EACH = [
    pytest.param(one, library, id=f"{library}-{one.id}")
    for library in (
        "asyncio", "trio", "anyio-trio", "anyio-asyncio", "gevent", "eventlet", "twisted", "tornado"
    )
    for one in having("trio" if library == "asyncio" else library.partition("-")[0])
]  # fmt: skip
pytestmark = pytest.mark.skipif(not EACH, reason=f"nothing in {VENVS} (script/libraries)")


@pytest.mark.parametrize(("interpreter", "library"), EACH)
@pytest.mark.parametrize("looks", [1, 4])
def test_what_it_looks_at_is_told(interpreter: Interpreter, library: str, looks: int) -> None:
    told = "by polling shop.is_open (False)"
    with running("library_polls", interpreter.path, asleep=False, arguments=(library,)) as target:
        for _ in range(10):  # until it is not met awake
            request = CaptureRequest(pids=(target.pid,), follow=True)
            capture = take(request, Looks(looks, 0.4 * looks))
            first = next(iter(findings.run(capture)), None)  # none: it ran in that moment
            assert first is None or first.id != "idle"
            if first is not None and told in first.title:
                break

    (polled,) = capture.polled
    assert first is not None
    assert polled.looks_at == ("shop.is_open",)
    assert polled.values == ("False",)
    assert told in first.title


@pytest.mark.parametrize("library", ["asyncio", "trio", "gevent", "threads"])
@pytest.mark.parametrize("state", ["hung", "slow"])
def test_what_nobody_is_left_to_change_is_an_error(library: str, state: str) -> None:
    for interpreter in having("gevent" if library == "gevent" else "trio"):
        arguments = (library, state)
        with running("polls_for_ever", interpreter.path, asleep=False, arguments=arguments) as one:
            found = once_seen(partial(_looked_at, one.pid), partial(_is_as_told, state))

        assert _is_as_told(state, found), found
        assert state == "slow" or "shop.is_open (False)" in found[0].sentence


def _looked_at(pid: int) -> tuple[Finding, ...]:
    return findings.run(take(CaptureRequest(pids=(pid,), follow=True), Looks(5, 2.5)))


def _is_as_told(state: str, found: tuple[Finding, ...]) -> bool:
    """Whether the first is an error if the program hangs, and none is if it does not."""
    errors = [one.severity is Severity.ERROR for one in found]
    return any(errors[:1]) if state == "hung" else not any(errors)


def test_who_awaits_a_deferred_does_not_just_look() -> None:
    for interpreter in having("twisted"):
        arguments = ("twisted-deferred",)
        with running("library_polls", interpreter.path, asleep=False, arguments=arguments) as one:
            capture = take(CaptureRequest(pids=(one.pid,), follow=True), Looks(1, 0.4))

        assert [task.function for task in capture.tasks]
        assert (capture.looking, capture.polled) == ((), ())
