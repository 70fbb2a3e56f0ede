"""What was taken for granted of others when holds were found is looked at again at the end."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from hangtui.backends.facts import Facts
from hangtui.backends.ipc.descriptors import Descriptors
from hangtui.backends.ipc.premises import Premises, released
from hangtui.model import (
    Certainty,
    Evidence,
    Hold,
    NodeId,
    NodeKind,
    Process,
    Source,
    Thread,
    process_id,
    resource_id,
    shared_id,
    thread_id,
)

READER, WORKER = 100, 101
PIPE, LINK = shared_id(NodeKind.PIPE, "0x7/read"), "pipe:[7]"
LOCK, MAIN = resource_id(NodeKind.LOCK, READER, 0x10), thread_id(READER, READER)
CERTAIN = Certainty.CERTAIN


def process(
    *threads: Thread, pid: int = READER, steady: bool | None = True
) -> Mapping[int, Process]:
    return {pid: Process(pid, 1, ("python",), "S", threads=threads, steady=steady)}


def thread(tid: int, *, still: bool | None, state: str = "S") -> Thread:
    return Thread(READER, tid, f"thread {tid}", state, still=still)


def facts(holder: NodeId = MAIN, resource: NodeId = PIPE) -> Facts:
    return Facts(holds=[Hold(resource, holder, Evidence(Source.PROCFS, CERTAIN, "has it"))])


def premises(able: Sequence[int] = (READER,)) -> Premises:
    known = Premises(at_rest={PIPE: {READER}}, able={READER: frozenset(able)})
    known.saw(PIPE, LINK, [READER])
    return known


RESTS = thread(WORKER, still=True)


@pytest.mark.parametrize(
    ("last", "certainty"),
    [
        (process(thread(READER, still=True), RESTS), CERTAIN),
        (process(thread(READER, still=False), RESTS), CERTAIN),  # the graph asks for that itself
        (process(thread(READER, still=True), thread(WORKER, still=False)), Certainty.UNKNOWN),
        (process(thread(READER, still=True), thread(WORKER, still=None)), Certainty.UNKNOWN),
        (process(thread(READER, still=True), RESTS, steady=False), Certainty.UNKNOWN),
        (process(thread(READER, still=True), thread(WORKER, still=False, state="Z")), CERTAIN),
        (process(), Certainty.UNKNOWN),
        ({}, Certainty.UNKNOWN),
    ],
    ids=[
        "rest",
        "holder ran",
        "sibling ran",
        "not watched",
        "came or went",
        "dead",
        "none",
        "gone",
    ],
)
def test_the_rest_of_the_other_threads(last: Mapping[int, Process], certainty: Certainty) -> None:
    found = facts()
    premises().doubt(found, last)
    (hold,) = found.holds
    assert hold.evidence.certainty is certainty
    assert ("ran, came or went" in hold.evidence.text) is (certainty is Certainty.UNKNOWN)


def test_what_a_driver_does_for_itself_is_no_unrest() -> None:
    driver = replace(thread(WORKER, still=False), comm="cuda-EvtHandlr", is_python=False)
    found = facts()
    premises().doubt(found, process(thread(READER, still=True), driver))
    assert found.holds[0].evidence.certainty is CERTAIN


def test_holds_of_other_things_are_not_doubted() -> None:
    found = facts(resource=LOCK)
    premises().doubt(found, {})
    assert found.holds[0].evidence.certainty is CERTAIN


def test_other_threads_that_ran_may_end_their_process() -> None:
    found = facts(resource=process_id(READER))
    known = Premises(ending={process_id(READER): READER})
    known.doubt(found, process(thread(READER, still=True), RESTS))
    assert found.holds[0].evidence.certainty is CERTAIN
    known.doubt(found, process(thread(READER, still=True), thread(WORKER, still=False)))
    assert found.holds[0].evidence.certainty is Certainty.INFERRED


def test_only_what_could_be_in_a_ring_is_looked_for_again() -> None:
    known = premises()
    assert known.claimed(facts(), process(thread(READER, still=True))) == {PIPE}
    assert known.claimed(facts(), process(thread(READER, still=False))) == set()
    assert known.claimed(facts(process_id(5)), process(thread(READER, still=True))) == set()


def test_who_has_come_to_have_an_end_is_a_holder_that_may_act(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = Descriptors()
    monkeypatch.setattr(
        now, "holders", lambda link: {READER: [4], 200: [5]} if link == LINK else {}
    )
    found = facts()
    premises().add_new(found, [PIPE], now)
    assert [(hold.holder, hold.evidence.certainty) for hold in found.holds] == [
        (MAIN, CERTAIN),
        ("process:200", Certainty.UNKNOWN),
    ]


def test_what_a_process_that_ended_had_is_not_free_for_that() -> None:
    found = facts()
    found.holds += facts(resource=LOCK).holds
    found.forget(READER, released(found, READER))
    (hold,) = found.holds
    assert (hold.resource, hold.holder) == (PIPE, process_id(READER))
    assert hold.evidence.certainty is Certainty.UNKNOWN
