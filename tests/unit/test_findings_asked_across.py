"""Tasks that wait for data from those in other processes who wait for what nobody brings."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings import by_the_clock
from hangtui.findings.across import short_paused, told_paused
from hangtui.findings.on_the_way import Onward, onward
from hangtui.findings.rest import asked_across as rule
from hangtui.findings.rest.owed import owed_in_ring
from hangtui.findings.words import words_of
from hangtui.model import (
    Capture,
    FarEnd,
    Hold,
    NodeKind,
    Resource,
    Stay,
    Task,
    TaskState,
    Wait,
    resource_id,
)
from tests.unit.factories import capture, evidence, lock, process, python_frame, thread, waits

FRONT, ENGINE = 100, 200


def task(pid: int, function: str, line: int, *, takes_next: bool | None = False) -> Task:
    stack = (python_frame(function, line),)
    made = Task(pid, line, "Task-2", function, TaskState.WAITING, 9, pid, stack)
    return replace(made, takes_next=takes_next)


ASKER, HANDLER = task(FRONT, "ask", 5), task(ENGINE, "generate", 7)
LOADED = Resource(
    resource_id(NodeKind.EVENT, ENGINE, 0x70),
    NodeKind.EVENT,
    "Engine.loaded",
    ENGINE,
    0x70,
    name="Engine.loaded",
    wakers_known=True,
)


def end(one: Task, other: Task) -> FarEnd:
    return FarEnd(one.id, f"connection to process {other.pid}", other.pid, (other.id,))


def two(handler: Task = HANDLER, loaded: Resource = LOADED, *ends: FarEnd) -> Capture:
    """A task that waits for data of another one, which waits for an event."""
    mains = [thread("MainThread", pid, pid, python=[]) for pid in (FRONT, ENGINE)]
    return replace(
        capture(),
        processes=tuple(process(one.pid, one) for one in mains),
        tasks=(ASKER, handler),
        resources=(loaded,),
        waits=() if ends else (waits(handler.id, loaded),),
        far_ends=(end(ASKER, handler), *ends),
    )


def hangs(made: Capture, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(rule, "waited_s", lambda *_: 2.0)
    return rule.asked_across(ASKER.id, words_of(made, build(made)))


def told(made: Capture) -> str:
    return onward(ASKER.id, words_of(made, build(made))).text


def test_what_nobody_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    assert hangs(two(), monkeypatch)
    assert "process 200 has the other end of that connection: there, task generate" in told(two())
    assert "waits at main.py:7 (generate) for Engine.loaded" in told(two())


def test_what_some_code_of_the_program_would_set(monkeypatch: pytest.MonkeyPatch) -> None:
    known = replace(LOADED, enders=("load (main.py:9)",))
    assert not hangs(two(HANDLER, known), monkeypatch)
    unknown = replace(LOADED, wakers_known=False)
    assert not hangs(two(HANDLER, unknown), monkeypatch)


def test_a_server_at_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    rests, other = replace(HANDLER, takes_next=True), task(300, "ask", 9)
    assert not hangs(two(rests, LOADED, end(rests, other)), monkeypatch)


def test_what_a_handler_waits_for_that_has_read_before(monkeypatch: pytest.MonkeyPatch) -> None:
    assert hangs(two(replace(HANDLER, takes_next=True)), monkeypatch)


def test_both_wait_for_data_of_the_other_one(monkeypatch: pytest.MonkeyPatch) -> None:
    made = two(HANDLER, LOADED, end(HANDLER, ASKER))
    assert hangs(made, monkeypatch)
    assert told(made).endswith(
        " So it comes back to task ask: none of them goes on before another one does."
    )
    takes = replace(HANDLER, takes_next=True)
    assert hangs(two(takes, LOADED, end(takes, ASKER)), monkeypatch)


def test_a_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    made = two()
    timed = replace(made, far_ends=(replace(made.far_ends[0], expires=True),))
    assert not hangs(timed, monkeypatch)


@pytest.mark.parametrize(("paused", "told"), [("Gate", True), (None, False)])
def test_who_has_paused_reading_at_the_other_end_is_told(paused: str | None, *, told: bool) -> None:
    far = FarEnd(ASKER.id, f"connection to process {ENGINE} (depot.py)", ENGINE, paused=paused)
    made = replace(two(), far_ends=(far,))
    words = words_of(made, build(made))
    short, long = short_paused(ASKER.id, words), told_paused(ASKER.id, words)

    has = f"process {ENGINE} (depot.py) has the other end, and its protocol Gate has paused reading"
    assert (has in short) is told
    assert ("before resume_reading() of its transport is called, and no task there" in long) is told
    assert bool(long) is told


def test_of_hundreds_who_wait_for_each_other_each_is_followed_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate = lock("gate", 0x9, NodeKind.EVENT)
    all_of_them = [thread(f"worker-{n}", 101 + n, python=[]) for n in range(300)]
    made = capture(*all_of_them, resources=[gate], waits=[waits(t, gate) for t in all_of_them])
    monkeypatch.setattr(by_the_clock, "_behind", lambda _wait, _words: all_of_them)
    assert not by_the_clock.works_behind(all_of_them[0], words_of(made, build(made)))


@pytest.mark.parametrize("requests", [0, 1, 2])
def test_a_servers_reader_is_not_who_answers_beside_a_request(requests: int) -> None:
    site = "/usr/lib/python3.12/site-packages/hypercorn/asyncio/tcp_server.py"
    awaits = "data from 127.0.0.1:5 (StreamReader.read)"
    reads = (python_frame("TCPServer._read_data", 98, site),)
    reader = replace(task(ENGINE, "_server_callback", 3), python_stack=reads, awaits=awaits)
    carried = [
        replace(task(ENGINE, "generate", 7 + n), answers="a request") for n in range(requests)
    ]
    made = two(reader, LOADED, end(reader, ASKER))
    made = replace(
        made,
        tasks=(*made.tasks, *carried),
        waits=tuple(waits(one.id, LOADED) for one in carried),
    )
    text = told(made)

    assert ("So it comes back to task ask" in text) is (requests == 0)
    assert ("there, task generate waits at main.py:7" in text) is (requests == 1)


@pytest.mark.parametrize(
    ("waited_s", "had", "owed"), [(2.0, True, True), (0.2, True, False), (2.0, False, False)]
)
def test_a_ring_over_connections_in_which_one_waits_for_a_lock_of_another_is_owed(
    *, waited_s: float, had: bool, owed: bool
) -> None:
    answer, trade, other = (
        Task(100, at, name, name, TaskState.WAITING, 9, 100, (python_frame(name, 18),))
        for at, name in enumerate(("answer", "trade", "other"), 1)
    )
    guard = lock("Vault.guard (asyncio.Lock)", 0x7)
    made = replace(
        capture(
            thread("MainThread", 100, 100, python=[python_frame("run", 27)]), resources=[guard]
        ),
        tasks=(answer, trade, other),
        waits=(Wait(answer.id, guard.id, evidence(), expires=False),),
        holds=(Hold(guard.id, (trade if had else other).id, evidence()),),
        stays=(Stay(answer.id, waited_s, sure=True),),
    )
    on = Onward("", frozenset({answer.id, trade.id}), known=True, back=True)

    assert owed_in_ring(on, words_of(made, build(made))) is owed
