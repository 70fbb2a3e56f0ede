"""Properties that hold for every capture, however odd."""

import gzip
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hangtui import findings
from hangtui.analysis import cycles
from hangtui.analysis.waitgraph import Edge, Relation, build
from hangtui.capture_file import encode, load
from hangtui.diagnosis import diagnose
from hangtui.model import (
    Capture,
    Certainty,
    Evidence,
    InputError,
    NodeId,
    NodeKind,
    Severity,
    Source,
    Thread,
)
from hangtui.report.json_report import to_json
from hangtui.report.text_report import to_text
from tests.shares import examples
from tests.unit.factories import abba, capture, holds, lock, thread, waits

pytestmark = pytest.mark.slow

THREADS, LOCKS = 5, 4
NUMBERS = st.integers(0, 12)


@st.composite
def captures(draw: st.DrawFn) -> Capture:
    """Random waits and holds over a few threads and locks, most of them able to deadlock."""
    stills = st.sampled_from([True, True, True, True, False, None])
    certainties = st.sampled_from([*list(Certainty), Certainty.CERTAIN, Certainty.PROVEN])
    threads = [thread(f"t{n}", 100 + n, still=draw(stills)) for n in range(THREADS)]
    kinds = st.sampled_from([NodeKind.LOCK, NodeKind.MUTEX, NodeKind.RWLOCK, NodeKind.GIL])
    locks = [lock(f"l{n}", n, draw(kinds)) for n in range(LOCKS)]
    targets = st.sampled_from([*(one.id for one in locks * 2), *(one.id for one in threads)])
    expiring = st.sampled_from([False, False, False, True])
    return capture(
        *threads,
        resources=locks,
        waits=[
            waits(one, draw(targets), draw(certainties), expires=draw(expiring))
            for one in threads
            for _ in range(draw(st.sampled_from([0, 1, 1, 1, 2])))
        ],
        holds=[
            holds(one, draw(st.sampled_from(threads)), draw(certainties))
            for one in locks
            for _ in range(draw(st.sampled_from([0, 1, 1, 2])))
        ],
    )


def can_go_on(made: Capture) -> set[NodeId]:
    """All nodes that are free now or after others went on, found by letting them go on."""
    edges: dict[NodeId, list[tuple[NodeId, bool]]] = {node.id: [] for node in made.threads()}
    edges |= {resource.id: [] for resource in made.resources}
    best: dict[tuple[NodeId, NodeId], Certainty] = {}
    for source, target, evidence in [
        *((w.waiter, w.target, w.evidence) for w in made.waits),
        *((h.resource, h.holder, h.evidence) for h in made.holds),
    ]:
        known = best.get((source, target), Certainty.UNKNOWN)
        best[source, target] = min(known, evidence.certainty, key=lambda c: c.rank)
    for (source, target), certainty in best.items():
        edges[source].append((target, certainty is Certainty.UNKNOWN))
    restless = {t.id for t in made.threads() if t.still is not True}
    free = {
        node for node, ways in edges.items()
        if node in restless or not ways or any(unknown for _, unknown in ways)
    }  # fmt: skip
    while more := {
        node for node, ways in edges.items()
        if node not in free and any(target in free for target, _ in ways)
    }:  # fmt: skip
        free |= more
    return free


def without_timeouts(made: Capture) -> bool:
    return not any(wait.expires for wait in made.waits)


@settings(deadline=None, max_examples=examples(300))
@given(captures())
def test_a_cycle_is_exactly_what_no_progress_of_others_can_free(made: Capture) -> None:
    graph = build(made)
    members = {node for cycle in graph.cycles for node in cycle.nodes}
    free = can_go_on(made)

    assert not members & free
    assert not any(edge.expires for cycle in graph.cycles for edge in cycle.edges)
    if without_timeouts(made):
        stuck = {t.id for t in made.threads()} - free
        assert bool(stuck) == bool(graph.cycles)


@settings(deadline=None, max_examples=examples(500))
@given(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=40))
def test_few_edges_and_many_have_the_same_components(pairs: list[tuple[int, int]]) -> None:
    known = Evidence(Source.PROCFS, Certainty.CERTAIN, "")
    ids = {n: NodeId.of(NodeKind.THREAD, n) for pair in pairs for n in pair}
    edges = [Edge(ids[a], ids[b], Relation.WAITS_FOR, known) for a, b in pairs]
    few, many = list(cycles.of_few(edges)), list(cycles.of_many(edges))

    assert sorted(map(sorted, few)) == sorted(map(sorted, many))


@settings(deadline=None, max_examples=examples(200))
@given(captures())
def test_errors_rest_on_certain_or_proven_edges_alone(made: Capture) -> None:
    graph = build(made)
    errors = [f for f in findings.run(made, graph) if f.severity is Severity.ERROR]
    sure = [c for c in graph.cycles if all(e.evidence.certainty.supports_claim for e in c.edges)]

    assert len(errors) == len(sure)


@settings(deadline=None, max_examples=examples(100))
@given(captures(), st.integers(40, 160), st.booleans())
def test_reports_never_fail_and_keep_their_width(
    made: Capture, width: int, ascii_only: bool
) -> None:
    assert all(
        len(line) <= width
        for line in to_text(diagnose(made), width, ascii_only=ascii_only).splitlines()
    )
    got = json.loads(to_json(diagnose(made)))
    assert not any(finding["id"] == "rule-failed" for finding in got["findings"])


@settings(deadline=None, max_examples=examples(200))
@given(st.data())
def test_a_damaged_file_is_refused_or_read_but_never_fails(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    content = bytearray(encode(abba()))
    for _ in range(data.draw(st.integers(1, 8))):
        index = data.draw(st.integers(0, len(content) - 1))
        content[index] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "damaged.hang"
    path.write_bytes(gzip.compress(bytes(content)))
    try:
        made = load(path)
    except InputError:
        return
    to_text(diagnose(made))
    to_json(diagnose(made))


def test_a_thread_without_any_fact_is_reported() -> None:
    assert "no stack was read" in to_text(diagnose(capture(Thread(100, 100, "", "?"))))
