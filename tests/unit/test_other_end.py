"""Tasks that wait at both ends of one connection within a process."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.findings import other_end
from hangtui.findings.backlog import knocks_at_itself, told_knocks_at_itself
from hangtui.findings.other_end import at_other_end, hears_itself, held_elsewhere, told_sender
from hangtui.findings.words import words_of
from hangtui.model import FIRST_TASK, Capture, Ends, Finding, NodeKind, Resource, Traffic, Watched
from tests.unit.factories import between, capture, lock, python_frame, thread, told_of_wait
from tests.unit.test_tasks import await_, loop, running, task

CLIENT, SERVER = "127.0.0.1:57616", "127.0.0.1:2222"
ASKS, SERVES = task("sort_names", 1), task("sort_lines", 2)


def event(peer: str, own: str | None, address: int) -> Resource:
    name = f"next event of the connection to {peer} (Session.read)"
    made = lock(name, address, NodeKind.FUTURE)
    return between(made, own, peer)


def quiet(other: Resource) -> Finding:
    here = event(SERVER, CLIENT, 0xA)
    selects = python_frame("select", 9, "/usr/lib/python3.12/selectors.py")
    main = replace(thread("MainThread", python=[selects]), runs=7)
    made: Capture = running(
        ASKS, SERVES, base=capture(main, resources=[here, other]), one=loop(watched=3)
    )
    made = replace(made, waits=(await_(ASKS, here.id), await_(SERVES, other.id)))
    return next(one for one in findings.run(made) if one.id == "quiet")


def test_who_waits_at_the_other_end_is_named() -> None:
    found = quiet(event(CLIENT, SERVER, 0xB))

    assert told_of_wait(found).endswith("; at the other end task sort_lines waits as well")
    assert found.sentence.endswith(
        " The other end of that connection is in this process, too: there task sort_lines, at "
        "jobs.py:12 (sort_lines), waits for something to come as well."
    )


@pytest.mark.parametrize("other", [event("10.0.0.7:57616", SERVER, 0xB), event(CLIENT, None, 0xB)])
def test_another_connection_is_not_taken_for_the_other_end(other: Resource) -> None:
    found = quiet(other)

    assert "other end" not in found.title + found.sentence
    assert "Who should end that is not known" in found.sentence


def test_the_end_of_a_plain_connection_is_known_by_its_addresses() -> None:
    """As that of a stream, or of one over which keys are agreed on."""
    made = lock("TCP connection", 0xB, NodeKind.SOCKET)
    other = between(made, SERVER, CLIENT)

    assert told_of_wait(quiet(other)).endswith("; at the other end task sort_lines waits as well")


def test_who_has_the_other_end_outside_could_send_that() -> None:
    here = event(SERVER, CLIENT, 0xA)
    main = thread("MainThread")
    base = capture(main, resources=[here])
    base = replace(base, watched=(Watched(main.id, "", None, (12,), ends=Ends(None, SERVER)),))
    made = replace(running(ASKS, base=base, one=loop(watched=1)), waits=(await_(ASKS, here.id),))
    graph = build(made)
    wait = graph.wait_of(ASKS.id)
    assert wait is not None

    said = told_sender(wait, words_of(made, graph))
    assert said == " Only the other end of that connection, open in process 12, could send that."


@pytest.mark.parametrize(("peers", "told"), [((12,), True), ((12, 13), False), ((1,), False)])
def test_who_alone_has_the_other_end_of_what_a_task_waits_for(
    peers: tuple[int, ...], told: bool
) -> None:
    main = thread("MainThread")
    peers = tuple(main.pid if one == 1 else one for one in peers)
    name = f"TCP connection to {SERVER}"
    base = replace(capture(main), watched=(Watched(main.id, name, None, peers),))
    asks = replace(ASKS, awaits=f"the {name}", loop_tid=main.tid)
    made = running(asks, base=base, one=loop(watched=1))

    held = held_elsewhere(asks.id, words_of(made, build(made)))

    assert (held is not None) == told


@pytest.mark.parametrize(("operation", "warned"), [("handshake", True), ("receive", False)])
def test_only_in_a_handshake_nobody_rests_at_a_plain_connection(
    operation: str, warned: bool
) -> None:
    made = lock("TCP connection", 0xA, NodeKind.SOCKET)
    ends = [
        between(made, CLIENT, SERVER),
        event(CLIENT, SERVER, 0xB),
    ]
    main = replace(ASKS, name=FIRST_TASK)
    base = running(main, SERVES, base=capture(thread("MainThread"), resources=ends))
    waits = [await_(one, end.id) for one, end in zip((main, SERVES), ends, strict=True)]
    base = replace(base, waits=tuple(replace(one, operation=operation) for one in waits))
    words = words_of(base, build(base))

    heard = at_other_end(words.graph.waits_of(main.id)[0], words)

    assert [one.id for one in heard] == [SERVES.id]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(other_end, "waited_s", lambda *_: 5.0)
        assert hears_itself(main.id, words) == warned


@pytest.mark.parametrize(
    ("accepted", "accepting", "idle_s", "told"),
    [(False, 0, 8.0, True), (True, 0, 8.0, False), (False, 1, 8.0, False), (False, 0, 0.1, False)],
)
def test_who_waits_for_its_own_process_to_accept_is_told_so(
    accepted: bool, accepting: int, idle_s: float, told: bool
) -> None:
    here = event(SERVER, CLIENT, 0xA)
    main = thread("MainThread")
    sent = Traffic(sent_s=idle_s, received_s=None, sent_last=True)
    knock = Watched(main.id, "", sent, (main.pid,), accepted=accepted, ends=Ends(CLIENT, SERVER))
    base = replace(capture(main, resources=[here]), watched=(knock,))
    one = replace(loop(watched=1), accepting=accepting)
    made = replace(running(ASKS, base=base, one=one), waits=(await_(ASKS, here.id),))
    words = words_of(made, build(made))

    assert bool(knocks_at_itself(ASKS.id, words)) is told
    assert ("So it waits for itself" in told_knocks_at_itself(ASKS.id, words)) is told


def test_a_loop_that_does_not_tell_lets_nobody_in_if_all_it_watches_are_connections() -> None:
    here = event(SERVER, CLIENT, 0xA)
    main = thread("MainThread")
    sent = Traffic(sent_s=8.0, received_s=None, sent_last=True)
    knock = Watched(main.id, "", sent, (main.pid,), accepted=False, ends=Ends(CLIENT, SERVER))
    base = replace(capture(main, resources=[here]), watched=(knock,))
    for watched, told in ((1, True), (2, False)):
        one = replace(loop(watched=watched), accepting=None)
        made = replace(running(ASKS, base=base, one=one), waits=(await_(ASKS, here.id),))
        assert bool(knocks_at_itself(ASKS.id, words_of(made, build(made)))) is told
