"""Waits for what nobody holds: whoever could end them is found, and waits as well or not."""

from dataclasses import replace

import pytest

from hangtui.cli.series import Looks, take
from hangtui.findings import run
from hangtui.model import Certainty, Complement, Nearness, Severity
from hangtui.provider import CaptureRequest
from tests.integration.capturing import diagnose
from tests.integration.targets import Interpreter, interpreters, running
from tests.shares import captures

CAPTURES = captures(20)
VERSIONS = ("3.8", "3.11", "3.12", "3.13")
_EACH = list({one.version: one for one in reversed(interpreters(VERSIONS))}.values())
ERROR, WARNING = Severity.ERROR, Severity.WARNING

HUNG = {
    "nested_monitor": (ERROR, Complement.NOTIFY, ("reader", "postman", "Mailbox.office")),
    "crossed_queues": (ERROR, Complement.GET, ("parser", "storer", "take from")),
    "iterated_queues": (ERROR, Complement.GET, ("there", "back", "take from")),
    "barrier": (ERROR, Complement.ARRIVE, ("early", "late", "table")),
    "event_setter": (ERROR, Complement.SET, ("user", "loader", "table")),
    "semaphore": (ERROR, Complement.RELEASE, ("asker", "finisher", "units.release()")),
    "join_consumer": (WARNING, Complement.PUT, ("consumer", "MainThread", "jobs.put()")),
    "crawlers": (ERROR, Complement.GET, ("crawler-0", "crawler-1", "frontier.get()")),
    "listed_queues": (ERROR, Complement.GET, ("stage-0", "stage-1", "inbox.get()")),
    "limiter": (ERROR, Complement.RELEASE, ("saver", "uploader", "journal")),
    "generator": (ERROR, Complement.SET, ("saver", "uploader", "free.set()")),
    "own_callback": (
        Severity.NOTE,
        Complement.SET,
        ("job waits for itself", "report)", "self.done.set()"),
    ),
    "own_answer": (
        Severity.NOTE,
        Complement.SET_RESULT,
        ("client waits for itself", "answer", ".set_result()"),
    ),
    "async_answer": (
        Severity.NOTE,
        Complement.SET_RESULT,
        ("task read waits for itself", "ask)", ".set_result()"),
    ),
    "async_letters": (
        ERROR,
        Complement.SET_RESULT,
        ("task guest", "task clerk", "reply.set_result()"),
    ),
    "own_server": (ERROR, Complement.SET, ("server waits for itself", "do_GET)", "is_shut_down")),
    "async_queues": (ERROR, Complement.GET, ("task parse", "task store", "take from")),
    "async_event": (ERROR, Complement.SET, ("task use", "task load", "table")),
    "own_result": (
        ERROR,
        Complement.SET_RESULT,
        ("task dispatch", "itself", "future.set_result()"),
    ),
    "wrapped": (ERROR, Complement.SET, ("task ask", "task serve", "answered.set()")),
}


@pytest.mark.parametrize("interpreter", _EACH, ids=lambda one: one.id)
@pytest.mark.parametrize("name", HUNG)
def test_those_who_could_end_a_wait_and_wait_as_well(name: str, interpreter: Interpreter) -> None:
    severity, complement, words = HUNG[name]
    with running("wakers", interpreter.path, arguments=(name,)) as target:
        diagnosis = diagnose(target.pid)

    first = diagnosis.findings[0]
    assert (first.id, first.severity) == ("mutual-wait", severity)
    assert all(word in first.title + first.sentence for word in words)
    ahead = [one for one in diagnosis.capture.could_wake if one.nearness is Nearness.AHEAD]
    assert {one.complement for one in ahead} == {complement}
    assert {one.evidence.certainty for one in diagnosis.capture.could_wake} == {Certainty.INFERRED}


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@pytest.mark.parametrize("interpreter", _EACH, ids=lambda one: one.id)
@pytest.mark.parametrize("name", HUNG)
def test_nothing_is_said_while_one_of_them_is_free(name: str, interpreter: Interpreter) -> None:
    arguments = (name, "healthy")
    with running("wakers", interpreter.path, asleep=False, arguments=arguments) as target:
        found = [one for _ in range(CAPTURES) for one in diagnose(target.pid).findings]

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@pytest.mark.parametrize("interpreter", _EACH, ids=lambda one: one.id)
@pytest.mark.parametrize("name", ["own", "target", "argument", "pool"])
def test_a_thread_that_has_only_begun_may_end_it(name: str, interpreter: Interpreter) -> None:
    with running("beginners", interpreter.path, arguments=(name,)) as target:
        diagnosis = diagnose(target.pid)

    assert [one.title for one in diagnosis.findings if one.severity is not Severity.NOTE] == []
    candidates = {one.candidate for one in diagnosis.capture.could_wake}
    main = next(one.id for one in diagnosis.capture.threads() if one.tid == target.pid)
    assert main in candidates
    assert len(candidates) > 1


@pytest.mark.parametrize("interpreter", _EACH, ids=lambda one: one.id)
def test_who_starts_the_next_waker_once_it_goes_on_does_not_wait_for_itself(
    interpreter: Interpreter,
) -> None:
    with running("failed_setter", interpreter.path) as target:
        first = diagnose(target.pid).findings[0]
    assert first.id == "nobody-left-to-wake"
    assert "for done" in first.sentence


@pytest.mark.parametrize("interpreter", _EACH, ids=lambda one: one.id)
def test_who_could_end_a_wait_is_followed_to_the_connection(interpreter: Interpreter) -> None:
    with running("answer_by_way", interpreter.path) as target:
        diagnosis = diagnose(target.pid)

    first = diagnosis.findings[0]
    assert first.id == "quiet"
    assert "task main waits at answer_by_way.py:25 (" in first.title
    told = first.sentence
    links = ("Only task dispatch is seen", "answer.set_result()", "Only task receive is seen")
    places = [told.index(link) for link in (*links, "self.inbox.put_nowait()", "awaits data from")]
    assert places == sorted(places)
    # Who gives results to futures out of another queue refers to it, by way of the client, only.
    tasks = {one.id: one.function for one in diagnosis.capture.tasks}
    ahead = [one for one in diagnosis.capture.could_wake if one.nearness is Nearness.AHEAD]
    future = [one for one in ahead if one.complement is Complement.SET_RESULT]
    assert [(tasks.get(one.candidate) or "").rpartition(".")[2] for one in future] == ["dispatch"]


@pytest.mark.parametrize("interpreter", _EACH, ids=lambda one: one.id)
def test_each_way_from_a_frame_to_the_call_that_ends_a_wait(interpreter: Interpreter) -> None:
    """One process has all of them: each thread waits for an event that one other would set."""
    with running("ways_to_wakers", interpreter.path) as target:
        capture = diagnose(target.pid).capture

    names = {thread.id: thread.name or "" for thread in capture.threads()}
    events = {names[wait.waiter]: wait.target for wait in capture.waits if wait.waiter in names}
    wanted = {name.removeprefix("wants "): node for name, node in events.items() if "wants" in name}
    found = {
        way: {
            names[one.candidate].partition("_0")[0]
            for one in capture.could_wake
            if one.resource == node and one.nearness is not Nearness.REFERS
        }
        for way, node in wanted.items()
    }

    assert len(found) >= 30
    assert found == {way: {way} for way in found}


@pytest.mark.parametrize("interpreter", _EACH, ids=lambda one: one.id)
def test_the_code_that_would_give_back_a_lock_that_nobody_has(interpreter: Interpreter) -> None:
    with running("lock_not_given_back", interpreter.path) as target:
        first = diagnose(target.pid).findings[0]

    assert first.title.startswith("Nobody is left to release Fan.bus")
    assert "The program gives it back in Fan.read (" in first.sentence
    assert "which nobody runs" in first.sentence


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@pytest.mark.parametrize("interpreter", _EACH, ids=lambda one: one.id)
@pytest.mark.parametrize(("how", "who"), [("writer", "write"), ("timer", "Thread-")])
def test_a_lock_that_another_thread_than_its_taker_is_to_release(
    how: str, who: str, interpreter: Interpreter
) -> None:
    request = CaptureRequest(follow=True)
    with running("lock_handed_on", interpreter.path, arguments=(how,)) as target:
        found = run(take(replace(request, pids=(target.pid,)), Looks(3, 1.5)))

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []
    title = next(one.title for one in found if one.id == "waiting-for-others")
    assert "waits for Book.open_now" in title
    assert f"; {who}" in title
    assert "is on the way to release it, and " in title


@pytest.mark.parametrize("interpreter", _EACH, ids=lambda one: one.id)
def test_who_comes_to_release_before_it_waits_is_on_the_way(interpreter: Interpreter) -> None:
    with running("semaphore_barrier", interpreter.path) as target:
        capture = diagnose(target.pid).capture

    ways = {(one.complement, one.nearness, one.call) for one in capture.could_wake}
    assert (Complement.RELEASE, Nearness.AHEAD, "self.through.release") in ways


@pytest.mark.parametrize(
    ("whose", "comes"), [("own", ["clerk"]), ("helped", ["clerk"]), ("other", [])]
)
def test_what_is_taken_from_an_attribute_is_what_that_is(whose: str, comes: list[str]) -> None:
    interpreter = _EACH[-1]
    with running("waker_of_another", interpreter.path, arguments=(whose,)) as target:
        capture = diagnose(target.pid).capture

    names = {thread.id: thread.name for thread in capture.threads()}
    ahead = [one for one in capture.could_wake if one.nearness is not Nearness.REFERS]
    assert [names[one.candidate] for one in ahead] == comes
