"""What rules ask of threads: whether the other end of a wait is at work."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings import run
from hangtui.findings.stack_queries import other_side_works
from hangtui.findings.words import words_of
from hangtui.model import (
    GilState,
    NodeKind,
    Resource,
    Thread,
    shared_id,
)
from hangtui.older_capture import named
from tests.unit.factories import capture, holds, native_frame, python_frame, thread, waits

WRITER, READER = 100, 200
PIPE = named(
    Resource(
        shared_id(NodeKind.PIPE, "7"),
        NodeKind.PIPE,
        "pipe from process 100 to process 200",
        WRITER,
        0,
    )
)


def works(*readers: Thread) -> bool:
    """Whether the process of *readers*, which has the reading end, is said to be at work."""
    writer = thread("writer", WRITER, WRITER)
    made = capture(
        writer,
        *readers,
        resources=[PIPE],
        waits=[waits(writer, PIPE, operation="write")],
        holds=[holds(PIPE, readers[0])],
    )
    graph = build(made)
    wait = graph.wait_of(writer.id)
    assert wait is not None
    return other_side_works(wait, words_of(made, graph))


@pytest.mark.parametrize("state", ["T", "t", "Z", "X"])
@pytest.mark.parametrize("still", [True, False, None])
def test_a_reader_that_is_stopped_or_has_ended_does_not_work(
    state: str, still: bool | None
) -> None:
    assert not works(thread("reader", READER, READER, state, still=still))


def test_a_reader_that_sleeps_does_not_work() -> None:
    assert not works(thread("reader", READER, READER))
    assert not works(thread("reader", READER, READER, "D"))


@pytest.mark.parametrize("state", ["R", "S", "D"])
def test_a_reader_that_ran_works(state: str) -> None:
    assert works(thread("reader", READER, READER, state, still=False))


def test_one_thread_at_work_is_enough() -> None:
    stopped = thread("reader", READER, READER, "T")
    busy = thread("decoder", READER + 1, READER, "R", still=False)
    assert works(stopped, busy)
    assert not works(stopped, replace(busy, state="T"))


def test_a_reader_that_could_not_be_watched_may_work() -> None:
    assert works(thread("reader", READER, READER, still=None))


@pytest.mark.parametrize(
    ("kept_ms", "hogs"),
    [(0.0, False), (20.0, False), (60.0, True), (None, True)],  # None: it cannot be told (3.6)
)
@pytest.mark.parametrize("share", [0.9, 0.1])
def test_who_gives_the_gil_away_meanwhile_does_not_hog_it(
    kept_ms: float | None, hogs: bool, share: float
) -> None:
    busy = replace(
        thread(
            "worker",
            101,
            state="R",
            still=False,
            gil=GilState.HOLDS,
            python=[python_frame("draw", 7)],
            native=[native_frame("fill", "/opt/app/random.so"), native_frame("_PyEval_Vector")],
        ),
        gil_kept_ms=kept_ms,
        native_sampled=True,
        busy=share,
        runnable=1.0,
    )
    waiting = thread("other", 102, gil=GilState.WAITS)
    found = {finding.id for finding in run(capture(busy, waiting))}
    starved = kept_ms is not None and share < 0.5  # without a processor nobody gives it away
    assert ("gil-hog" in found) == (hogs and not starved)
