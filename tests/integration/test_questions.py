"""Questions whose answer never comes, where an event loop has one of the ends, really run."""

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.capturing import once_seen
from tests.integration.targets import Interpreter, interpreters, running

PYTHONS = interpreters(("3.8", "3.11", "3.13"))
ENDS = [("thread", "thread"), ("thread", "task"), ("task", "thread"), ("task", "task")]


def look(pid: int) -> list[Finding]:
    """What several looks find at the client and its server."""
    return list(findings.run(take(CaptureRequest(pids=(pid,), follow=True), Looks(5, 3.0))))


@pytest.mark.parametrize("interpreter", PYTHONS, ids=lambda one: one.id)
@pytest.mark.parametrize(("client", "server"), ENDS)
def test_who_asks_is_told_with_who_takes_the_next_message(
    interpreter: Interpreter, client: str, server: str
) -> None:
    arguments = (client, server, "hung")
    with running("questions", interpreter.path, asleep=False, arguments=arguments) as target:
        first = once_seen(
            lambda: look(target.pid), lambda found: found[0].severity is Severity.ERROR
        )[0]

    assert first.severity is Severity.ERROR, first.title
    asks, takes = (
        f"({name}{'_in_a_task' if end == 'task' else ''})"
        for name, end in (("Clerk.ask", client), ("archive", server))
    )
    short = asks.replace("Clerk.", "")  # no qualified names up to 3.10
    before, _, after = first.title.partition(" for an answer from ")
    assert asks in before or short in before, first.title
    assert takes in after, first.title
    assert "for its next message" in after, first.title


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@pytest.mark.parametrize("interpreter", PYTHONS, ids=lambda one: one.id)
@pytest.mark.parametrize(("client", "server"), ENDS)
def test_who_gets_an_answer_by_and_by_is_not_warned_of(
    interpreter: Interpreter, client: str, server: str
) -> None:
    arguments = (client, server, "slow")
    with running("questions", interpreter.path, asleep=False, arguments=arguments) as target:
        judged = look(target.pid)

    assert not [one.title for one in judged if one.severity is not Severity.NOTE]


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@pytest.mark.parametrize("interpreter", PYTHONS, ids=lambda one: one.id)
@pytest.mark.parametrize("ends", ENDS, ids="-".join)
def test_who_has_subscribed_to_what_others_may_say_rests(
    interpreter: Interpreter, ends: tuple[str, str]
) -> None:
    with running("news", interpreter.path, asleep=False, arguments=ends) as target:
        judged = look(target.pid)

    assert not [one.title for one in judged if one.severity is not Severity.NOTE]
