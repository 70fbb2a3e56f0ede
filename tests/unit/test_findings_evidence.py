"""The rules of evidence: contradictions cancel, the weakest link counts, errors stand alone."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from hangtui import findings
from hangtui.analysis.edges import Relation
from hangtui.analysis.progress import with_progress
from hangtui.analysis.waitgraph import build
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.engine import judge
from hangtui.findings.grounds import RING
from hangtui.findings.reassurance import Reassures, reassuring
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    NodeKind,
    Severity,
    ThreadRef,
    thread_id,
    weakest,
)
from tests.shares import examples
from tests.unit.factories import abba, capture, holds, lock, python_frame, thread, waits
from tests.unit.test_analysis_properties import captures

COMFORT = reassuring(findings.RULES)
CERTAIN, PROVEN, INFERRED = Certainty.CERTAIN, Certainty.PROVEN, Certainty.INFERRED


def own_wait(kind: NodeKind = NodeKind.LOCK, *, still: bool = True) -> Capture:
    """A thread that waits for the lock that it holds."""
    one, it = thread("one", still=still), lock("table (threading.Lock)", 0xA, kind)
    return capture(one, resources=[it], waits=[waits(one, it)], holds=[holds(it, one, PROVEN)])


def test_a_thread_that_ran_neither_waits_for_a_lock_nor_holds_it() -> None:
    graph = build(own_wait(still=False))
    (pair,) = graph.cancelled
    assert (pair.actor, pair.resource) == ("thread:100:100", "lock:100:0xa")
    assert graph.edges == ()
    assert not graph.held_by(pair.actor)
    assert graph.wait_of(pair.actor) is None


def test_a_thread_that_stood_still_in_both_is_a_self_deadlock() -> None:
    made = own_wait()
    assert build(made).cancelled == ()
    finding = findings.run(made)[0]
    assert (finding.id, finding.severity, finding.certainty) == (
        "self-deadlock",
        Severity.ERROR,
        PROVEN,
    )


def test_the_owner_of_a_reentrant_lock_never_waits_for_it() -> None:
    graph = build(own_wait(NodeKind.RLOCK))
    assert len(graph.cancelled) == 1
    assert graph.cycles == ()


@pytest.mark.parametrize("kind", [NodeKind.RWLOCK, NodeKind.SEMAPHORE, NodeKind.PIPE])
def test_what_several_can_hold_may_be_held_and_waited_for(kind: NodeKind) -> None:
    graph = build(own_wait(kind, still=False))
    assert graph.cancelled == ()
    assert len(graph.edges) == 2


def test_only_the_pair_is_cancelled() -> None:
    one, two, it = thread("one", still=False), thread("two", 101), lock("it", 0xA)
    made = capture(
        one,
        two,
        resources=[it],
        waits=[waits(one, it), waits(two, it)],
        holds=[holds(it, one, PROVEN)],
    )
    (left,) = build(made).edges
    assert (left.source, left.relation) == (two.id, Relation.WAITS_FOR)


def test_the_weakest_counts() -> None:
    assert weakest([CERTAIN, INFERRED, PROVEN]) is INFERRED
    assert weakest([]) is Certainty.UNKNOWN
    edges = build(abba(INFERRED)).edges
    assert as_sure_as(PROVEN) is PROVEN
    assert as_sure_as(CERTAIN, *edges) is INFERRED


class Boastful:
    """A rule that says that it is certain of an error whatever it rests on."""

    ID = "boastful"
    GROUND = RING

    def check(self, made: Capture, graph: object) -> list[Finding]:  # noqa: ARG002
        refs = tuple(ThreadRef(one.pid, one.tid, one.name) for one in made.threads())
        held = tuple(one.id for one in made.resources)
        return [Finding(self.ID, Severity.ERROR, CERTAIN, "It", "It.", refs, held)]


@settings(max_examples=examples(150), deadline=None)
@given(captures())
def test_no_rule_is_surer_than_the_facts_between_what_it_names(made: Capture) -> None:
    graph = build(made)
    verdict = judge((Boastful(), *findings.RULES), made, graph)
    for finding in verdict.findings:
        named = {thread_id(one.pid, one.tid) for one in finding.threads} | set(finding.resources)
        links = [e for e in graph.edges if e.source in named and e.target in named]
        if finding.threads:
            sure = weakest([CERTAIN, *(edge.evidence.certainty for edge in links)])
            assert finding.certainty.rank >= sure.rank, finding
        if finding.severity is Severity.ERROR:
            assert finding.certainty.supports_claim, finding


@settings(max_examples=examples(150), deadline=None)
@given(captures())
def test_nothing_comforts_beside_an_error(made: Capture) -> None:
    found = findings.run(made)
    bad = {
        one.pid
        for finding in found
        if finding.severity is Severity.ERROR
        for one in (*finding.threads, *finding.victims)
    }
    for finding in found:
        if finding.id in COMFORT:
            assert not bad & {one.pid for one in finding.threads}, finding


def test_the_comforting_findings_are_declared_and_have_evidence() -> None:
    assert set(COMFORT) == {"alive", "busy", "idle", "lock-contention", "quiet", "working"}
    assert set(COMFORT) <= set(findings.ids())


def test_beside_a_deadlock_it_is_told_there_that_a_thread_ran() -> None:
    made = abba()
    ran = replace(made.threads()[0], runs=7)
    threads = (ran, *made.threads()[1:])
    (process,) = made.processes
    made = replace(made, processes=(replace(process, threads=threads),))
    found = findings.run(made)
    assert [one.id for one in found] == ["deadlock"]
    assert found[0].evidence[-1] == (
        "meanwhile 1 of 3 Python threads ran while it was watched: MainThread"
    )


def test_the_process_is_not_called_idle_beside_a_warning() -> None:
    rules = [
        Fixed("idle", Severity.NOTE, {"idle": Reassures.PROCESS}),
        Fixed("queue", Severity.NOTE, {"queue": Reassures.THREADS}),
        Fixed("bad", Severity.WARNING, {}),
    ]
    stack = [python_frame("add", 9)]
    made = capture(thread("one", python=stack), thread("two", 101, python=stack))
    verdict = judge(rules, made, build(made))
    assert [one.id for one in verdict.findings] == ["bad", "queue"]


class Fixed:
    """A rule with one finding, about a thread of its own."""

    GROUND = RING

    def __init__(self, name: str, severity: Severity, reassures: dict[str, Reassures]) -> None:
        self.ID, self.severity, self.REASSURES = name, severity, reassures

    def check(self, made: Capture, graph: object) -> list[Finding]:  # noqa: ARG002
        tid = 100 if self.severity is Severity.NOTE else 101
        who = (ThreadRef(100, tid, "it"),)
        return [Finding(self.ID, self.severity, CERTAIN, self.ID, self.ID, who)]


def queue(holder: int, moment: int) -> Capture:
    """Three threads of which one has the lock that the others want, at some second."""
    threads = [
        thread(f"t{n}", 100 + n, still=n != holder, python=[python_frame("add", 9)])
        for n in range(3)
    ]
    it = lock("total_lock (threading.Lock)", 0xA)
    made = capture(
        *threads,
        resources=[it],
        waits=[waits(one, it) for n, one in enumerate(threads) if n != holder],
        holds=[holds(it, threads[holder], PROVEN)],
    )
    return replace(made, taken_at=f"2030-01-02T03:04:{moment:02}+00:00")


def contention(made: Capture) -> Finding:
    (finding,) = (one for one in findings.run(made) if one.id == "lock-contention")
    return finding


def test_nobody_has_a_condition_that_others_wait_for() -> None:
    """Native threads of a pool, one of which was woken while it was read."""
    for kind, contended in ((NodeKind.MUTEX, True), (NodeKind.CONDITION, False)):
        frames = [python_frame("add", 9)]
        threads = [thread(f"t{n}", 101 + n, still=False, python=frames) for n in range(2)]
        it = lock("one of libgrid.so", 0xA, kind)
        made = capture(*threads, resources=[it], waits=[waits(one, it) for one in threads])
        assert ("lock-contention" in [one.id for one in findings.run(made)]) is contended


def test_a_lock_that_is_passed_on_is_not_lost_if_one_look_missed_its_holder() -> None:
    missed = replace(queue(1, 3), holds=())
    alone = [one.id for one in findings.run(missed)]
    passed = with_progress([queue(0, 1), queue(1, 2), missed])
    first, *rest = findings.run(passed)

    assert "waiting-for-others" in alone
    assert "waiting-for-others" not in [first.id, *(one.id for one in rest)]
    assert first.title == "2 threads wait for total_lock, whose holder was not found"
    assert "Its holder was not found. It changed hands" in first.sentence


def test_a_queue_is_said_to_move_only_if_several_looks_saw_it() -> None:
    once = contention(queue(0, 1))
    assert "in turn" not in once.sentence
    assert "was not seen" in once.sentence

    stays = contention(with_progress([queue(0, 1), queue(0, 2)]))
    assert "in turn" not in stays.sentence

    moves = contention(with_progress([queue(0, 1), queue(1, 2), queue(0, 3)]))
    assert "Each gets it in turn" in moves.sentence
    assert "2 holders in 3 looks that saw one" in moves.evidence
