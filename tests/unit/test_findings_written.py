"""Which functions of the program would end a wait, and whether somebody runs them."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis import waitgraph
from hangtui.findings.rest.by_whom import by_whom
from hangtui.findings.words import words_of
from hangtui.findings.written import only_inside, own_code, told_sharing, told_unrun, told_written
from hangtui.model import (
    Capture,
    Complement,
    CouldWake,
    Finding,
    Nearness,
    NodeKind,
    OwnQueue,
    Resource,
    Task,
    TaskState,
)
from tests.unit.factories import capture, evidence, lock, python_frame, thread, waits

ASKS = python_frame("Dashboard.read_details", 20)
HEARS = python_frame("Dashboard.on_message_received", 13)
LOOP = python_frame("Notifier._rx_thread", 120, "/usr/lib/python3.12/site-packages/can/notifier.py")
READER = replace(thread("reader", 101, python=[ASKS, HEARS, LOOP]), runs=7)
MAIN = replace(thread("MainThread", 100), runs=7)
SETS, OTHER = "Dashboard.on_message_received (main.py:15)", "reset (main.py:40)"


def event(*enders: str, known: bool = True) -> Resource:
    made = lock("Dashboard.answered (threading.Event)", 0xE, NodeKind.EVENT)
    return replace(made, enders=enders, wakers_known=known)


def told(*enders: str, known: bool = True) -> Finding:
    waited = event(*enders, known=known)
    polls = replace(thread("poller", 102, state="R", still=False), runs=9)
    made: Capture = capture(
        MAIN, READER, polls, resources=[waited], waits=[waits(READER, waited), waits(MAIN, READER)]
    )
    return next(one for one in findings.run(made) if "Dashboard.answered" in one.sentence)


def test_what_would_set_it_is_what_waits() -> None:
    assert own_code(event(SETS, OTHER), READER) == [SETS]
    assert told_written(event(SETS), READER) == (
        f" The program does so in {SETS}, which this wait is inside of: nobody else runs that."
    )


def test_functions_that_nobody_runs_are_told_as_such() -> None:
    assert told_written(event(OTHER), READER) == (
        f" The program does so in {OTHER}, which nobody runs."
    )
    assert told_written(event(OTHER, SETS), READER).startswith(
        f" The program does so in {OTHER}, which nobody runs. The program also does so in {SETS}, "
    )
    assert told_written(event(), READER) == told_written(None, READER) == ""


@pytest.mark.parametrize(
    ("enders", "inside"), [((SETS,), True), ((SETS, OTHER), False), ((), False)]
)
def test_the_finding_says_that_it_waits_inside_of_what_would_set_it(
    enders: tuple[str, ...], inside: bool
) -> None:
    found = told(*enders)
    assert ("which this wait is inside of" in found.sentence) == (SETS in enders)
    assert (f"what is to set it, {SETS}, is itself inside of this wait" in found.title) == inside


def test_what_would_end_it_may_lie_in_the_queue_of_who_waits() -> None:
    own = OwnQueue("self.inbox", "Actor.run (actor.py:50)")
    asked = replace(event(), own_queue=own)

    assert told_written(asked, READER) == (
        " An item that leads to it lies in the queue self.inbox, from which only Actor.run "
        "(actor.py:50) is seen to take, further out on this very stack: it waits for what it would "
        "do next itself."
    )
    found = findings.run(capture(READER, resources=[asked], waits=[waits(READER, asked)]))
    (first,) = (one for one in found if one.id == "nobody-left-to-wake")
    assert first.title.endswith("though what would end that lies in its own queue, self.inbox")
    assert "what this very thread is to do next, in Actor.run (actor.py:50)" in first.advice[0]


@pytest.mark.parametrize("unshared", [True, False])
def test_who_alone_refers_to_it_besides_is_told(unshared: bool) -> None:
    waited = replace(event(), unshared=unshared)
    main = replace(MAIN, python_stack=(python_frame("show", 30),))
    refers = CouldWake(
        waited.id, main.id, Complement.SET, Nearness.REFERS, evidence("it refers to it")
    )
    made = capture(main, READER, resources=[waited], waits=[waits(READER, waited)])
    made = replace(made, could_wake=(refers,))
    words = words_of(made, waitgraph.build(made))
    wait = words.graph.wait_of(READER.id)
    assert wait is not None
    assert told_sharing(wait, words) == (
        " Nobody refers to it besides but MainThread, at main.py:30 (show), and no code ahead "
        "there is seen to set it."
        if unshared
        else ""
    )


def test_a_task_that_alone_would_end_its_wait_is_told_so() -> None:
    shown, loop = (python_frame("show", 30),), 0x1000
    first = Task(MAIN.pid, 0x10, "first", "show", TaskState.WAITING, loop, MAIN.tid, shown)
    reader = replace(first, address=0x20, name="reader", python_stack=(ASKS, HEARS))
    other = lock("Group.empty (asyncio.Event)", 0xF, NodeKind.EVENT)
    asked = event(SETS)
    made = capture(
        MAIN,
        resources=[asked, replace(other, wakers_known=True)],
        waits=[waits(first.id, other), waits(reader.id, asked)],
    )
    made = replace(made, tasks=(first, reader))
    words = words_of(made, waitgraph.build(made))
    wait = words.graph.wait_of(reader.id)
    assert wait is not None

    inside = f"; what is to end that, {SETS}, is itself inside of this wait"
    assert only_inside(wait, reader, "end that", words) == by_whom(reader.id, words) == inside
    assert told_unrun([wait], words).startswith(f" The program does so in {SETS}, which this wait")
    assert by_whom(first.id, words) == ""


def test_what_a_package_calls_back_is_on_no_stack() -> None:
    calls = "discord's Client._handle_ready (client.py:372)"
    asked = replace(event(), called_back=(calls,))

    assert told_written(asked, READER) == f" {calls} would do so; no stack is inside of that."
    assert calls not in told_written(replace(asked, enders=(OTHER,)), READER)


@pytest.mark.parametrize(("enders", "is_told"), [((), True), ((OTHER,), False)])
def test_it_is_told_in_the_title_of_a_process_that_stands_still(
    enders: tuple[str, ...], is_told: bool
) -> None:
    calls = "discord's Client._handle_ready (client.py:372)"
    waited = replace(event(*enders), called_back=(calls,))
    made = capture(READER, resources=[waited], waits=[waits(READER, waited)])

    assert (calls in by_whom(READER.id, words_of(made, waitgraph.build(made)))) is is_told
