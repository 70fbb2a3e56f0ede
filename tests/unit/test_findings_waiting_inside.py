"""Code that would end a wait, and that others are inside of who wait for the same."""

from dataclasses import replace

from hangtui import findings
from hangtui.analysis import waitgraph
from hangtui.findings.waiting_inside import short_same, short_unrun
from hangtui.findings.words import Words, words_of
from hangtui.findings.written import told_written
from hangtui.model import Capture, NodeKind
from tests.unit.factories import capture, lock, python_frame, stood, thread, waits

PUT, UNPIN = "Pantry.put (main.py:30)", "Pantry.unpin (main.py:42)"
CHANGED = replace(
    lock("Pantry.changed (threading.Condition)", 0xC, NodeKind.CONDITION),
    enders=(UNPIN, PUT),
    wakers_known=True,
)
GETS = thread("reader", 101, python=[python_frame("Pantry.get", 35)])
PUTS = thread("writer", 102, python=[python_frame("Pantry.put", 27)])


def made(*waiting: str) -> Capture:
    threads = [one for one in (GETS, PUTS) if one.name in waiting]
    return stood(
        capture(*threads, resources=[CHANGED], waits=[waits(one, CHANGED) for one in threads])
    )


def words(*waiting: str) -> Words:
    those = made(*waiting)
    return words_of(those, waitgraph.build(those))


def test_who_waits_for_the_same_in_the_code_that_would_end_it_is_told() -> None:
    assert told_written(CHANGED, GETS, words("reader", "writer")) == (
        f" The program does so in {UNPIN}, which nobody runs, and in {PUT}, which writer is inside "
        "of, to wait for the same."
    )
    assert told_written(CHANGED, PUTS, words("reader", "writer")).endswith(
        f"{PUT}, which this wait is inside of: nobody else runs that."
    )
    alone = told_written(CHANGED, GETS, words("reader"))
    assert f"{UNPIN} and {PUT}, which nobody runs" in alone


def test_a_title_says_so_too() -> None:
    both = short_unrun(CHANGED.enders, CHANGED, GETS, words("reader", "writer"))
    assert both == (
        f"; {UNPIN} would end that, and nobody runs it, and so would {PUT}, where writer waits for "
        "the same"
    )
    only = short_unrun([PUT], CHANGED, GETS, words("reader", "writer"))
    assert only == f"; only {PUT}, where writer waits for the same, would end that"
    assert short_unrun(CHANGED.enders, CHANGED, GETS, words("reader")).endswith(
        "would end that, and nobody runs any of them"
    )
    assert short_unrun([], CHANGED, GETS, words("reader")) == ""


def test_no_finding_says_that_nobody_runs_it() -> None:
    for one in findings.run(made("reader", "writer")):
        assert f"{PUT}, which nobody runs" not in one.sentence
        assert f"{UNPIN} and {PUT} would end that, and nobody runs" not in one.title


def test_several_who_wait_for_the_same_are_told_as_such() -> None:
    others = [
        thread(f"taker-{n}", 110 + n, python=[python_frame("Pantry.get", 35)]) for n in (1, 2)
    ]
    those = stood(
        capture(
            *others,
            PUTS,
            resources=[CHANGED],
            waits=[waits(one, CHANGED) for one in (*others, PUTS)],
        )
    )
    known = words_of(those, waitgraph.build(those))
    edges = [edge for one in others for edge in known.graph.waits_of(one.id)]

    assert short_same(edges, known) == (
        f"; all of them wait for Pantry.changed, as does writer inside of {PUT}, which would end "
        "that"
    )
    assert short_same(edges[:1], known) == ""
