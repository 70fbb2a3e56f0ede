"""Calls that wait for what a reader of their process is to bring, really run."""

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.targets import Interpreter, interpreters, running

PYTHONS = interpreters(("3.8", "3.11", "3.13"))
KINDS = [
    "thread-event",
    "thread-queue",
    "thread-future",
    "async-event",
    "async-queue",
    "async-future",
]


def found(interpreter: Interpreter, kind: str, state: str) -> list[Finding]:
    """What several looks find at the client and its server."""
    arguments = (kind, state)
    with running("pending_calls", interpreter.path, asleep=False, arguments=arguments) as target:
        request = CaptureRequest(pids=(target.pid,), follow=True)
        return list(findings.run(take(request, Looks(5, 3.0))))


@pytest.mark.parametrize("interpreter", PYTHONS, ids=lambda one: one.id)
@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_that_never_comes_is_told_by_the_call(
    interpreter: Interpreter, kind: str
) -> None:
    first = found(interpreter, kind, "hung")[0]

    assert (first.id, first.severity) == ("unanswered-call", Severity.ERROR), first.title
    assert first.where is not None
    assert first.where.function.endswith(".call")
    reader = "reader" if kind.startswith("thread") else "task read_answers"
    assert f"only {reader} would bring" in first.title
    assert "(serve)" in first.title


@pytest.mark.parametrize("interpreter", PYTHONS, ids=lambda one: one.id)
@pytest.mark.parametrize("kind", ["thread-event", "async-event"])
def test_a_call_that_is_in_no_table_any_more_names_who_would_have_ended_it(
    interpreter: Interpreter, kind: str
) -> None:
    first = found(interpreter, kind, "lost")[0]

    function = "Client.dispatch" if kind.startswith("thread") else "Peer.read_answers"
    assert function in first.title.partition("by its name ")[2], first.title
    # A thread stands in front of that function, a task inside of it.
    in_front = kind.startswith("thread")
    rest = "and no stack is in" if in_front else "nothing leads from there to it"
    assert rest in first.title


@pytest.mark.parametrize("interpreter", PYTHONS, ids=lambda one: one.id)
@pytest.mark.parametrize("kind", KINDS[::3])
def test_a_client_and_a_server_that_rest_are_not_warned_of(
    interpreter: Interpreter, kind: str
) -> None:
    judged = found(interpreter, kind, "idle")

    assert not [one.title for one in judged if one.severity is not Severity.NOTE]
