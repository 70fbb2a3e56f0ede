"""What rules ask of threads: whether the other end of a wait is at work."""

from collections.abc import Sequence
from dataclasses import astuple, replace

import pytest

from hangtui.analysis.progress import with_progress
from hangtui.analysis.waitgraph import build
from hangtui.findings import run
from hangtui.findings.stack_queries import other_side_works
from hangtui.findings.words import words_of
from hangtui.model import (
    Capture,
    GilState,
    NodeKind,
    Resource,
    Retried,
    Severity,
    Thread,
    Transfers,
    shared_id,
)
from hangtui.older_capture import named
from tests.unit.factories import LIBC, capture, holds, native_frame, python_frame, thread, waits

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


@pytest.mark.parametrize(
    ("seen", "spins"),
    [
        (("spin_lock",) * 4, True),
        (("tbb::spin_mutex::scoped_lock::acquire(tbb::spin_mutex&)",) * 4, True),
        (("pthread_spin_lock",) * 4, True),
        (("SpinWait",) * 4, True),
        (("spin_lock", "spin_lock", "spin_lock", "multiply"), False),
        (("multiply",) * 4, False),
        (("multiply_spinors",) * 4, False),
        (("rclcpp::spin",) * 4, False),
        (("spin_lock",) * 2, False),
        (("spin_lock", "spin_lock", "spin_lock", None), False),
    ],
)
def test_a_native_function_is_said_to_spin_if_it_does_nothing_else(
    seen: Sequence[str | None], spins: bool
) -> None:
    looks = [look_at(function, 0.5 * number) for number, function in enumerate(seen)]
    found = run(with_progress(looks))
    assert [one.severity for one in found] == [Severity.WARNING if spins else Severity.NOTE]
    assert (found[0].id == "native-spin") is spins


@pytest.mark.parametrize(("module", "may_have_it"), [("grid.so", True), ("sound.so", False)])
def test_who_works_in_the_same_library_may_have_the_spin_lock(
    module: str, *, may_have_it: bool
) -> None:
    looks = []
    for number in range(4):
        look = look_at("spin_lock", 0.5 * number)
        (main,) = look.threads()
        frames = (native_frame("solve", f"/opt/app/{module}"), *(main.native_stack or ())[2:])
        other = replace(main, tid=101, name="other", native_stack=frames)
        looks.append(replace(capture(main, other), taken_at=look.taken_at))
    (spins,) = (one for one in run(with_progress(looks)) if one.id == "native-spin")

    assert spins.severity is (Severity.NOTE if may_have_it else Severity.WARNING)
    assert ("while other is busy in solve (grid.so)" in spins.title) is may_have_it


@pytest.mark.parametrize(("unread", "said"), [(None, "busy-loop"), (1, "working")])
def test_a_loop_is_told_only_if_every_look_saw_it(unread: int | None, said: str) -> None:
    looks = [look_at(None, 0.5 * number) for number in range(4)]
    if unread is not None:
        (main,) = looks[unread].threads()
        torn = capture(replace(main, python_stack=None))
        looks[unread] = replace(torn, taken_at=looks[unread].taken_at)
    assert [one.id for one in run(with_progress(looks))] == [said]


def test_what_a_busy_line_has_called_of_the_standard_library_is_told() -> None:
    looks = [look_at(None, 0.5 * number) for number in range(4)]
    (main,) = looks[-1].threads()
    file = "/usr/lib/python3.12/difflib.py"
    inner = (python_frame("SequenceMatcher.quick_ratio", 642, file), *(main.python_stack or ()))
    told = " The last look met it in SequenceMatcher.quick_ratio (difflib.py:642)."
    compares = replace(capture(replace(main, python_stack=inner)), taken_at=looks[-1].taken_at)

    (plain,), (found,) = (run(with_progress([*looks[:-1], one])) for one in (looks[-1], compares))
    assert found.id == "busy-loop"
    assert told in found.sentence
    assert told not in plain.sentence


@pytest.mark.parametrize(
    ("each_look", "told"),
    [
        (Transfers(5000, 0, 0, 0), "10,000 calls of read(2) in 2 s brought nothing"),
        (Transfers(0, 0, 5000, 0), "10,000 calls of write(2) in 2 s got rid of nothing"),
        (Transfers(5000, 5000, 0, 0), None),
        (Transfers(5000, 0, 5000, 70), "10,000 calls of read(2) in 2 s brought nothing"),
        (Transfers(50, 0, 50, 0), None),
    ],
)
def test_who_reads_or_writes_again_and_again_for_nothing_is_warned_of(
    each_look: Transfers, told: str | None
) -> None:
    looks = []
    for number in range(3):
        look = look_at(None, float(number))
        (main,) = look.threads()
        counts = Transfers(*(9 + number * one for one in astuple(each_look)))
        moved = capture(replace(main, transfers=counts))
        looks.append(replace(moved, taken_at=look.taken_at))
    (found,) = run(with_progress(looks))

    assert found.severity is (Severity.WARNING if told else Severity.NOTE)
    assert found.title.endswith(f": {told}") or not told


@pytest.mark.parametrize(("calls", "told"), [(5000, True), (50, False)])
def test_one_look_says_that_as_well_but_does_not_warn(calls: int, *, told: bool) -> None:
    (main,) = look_at(None, 0.0).threads()
    (found,) = run(capture(replace(main, moved=Transfers(calls, 0, 0, 0))))

    assert found.severity is Severity.NOTE
    assert (": 5,000 calls of read(2) while it was watched brought" in found.title) is told
    assert (found.id == "busy-loop") is told


@pytest.mark.parametrize(("times", "warns"), [(None, False), (7, False), (4711, True)])
def test_who_is_busy_with_one_attempt_after_the_other_is_warned_of(
    times: int | None, *, warns: bool
) -> None:
    looks = [look_at(None, 0.5 * number) for number in range(4)]
    (main,) = looks[-1].threads()
    looks[-1] = replace(looks[-1], retried=(Retried(main.id, "stock (shop.py:4)", times),))
    (found,) = run(with_progress(looks))
    assert found.severity is (Severity.WARNING if warns else Severity.NOTE)
    assert ("calls stock (shop.py:4) again and again, and counts attempt" in found.title) is warns


@pytest.mark.parametrize(("collecting", "said"), [(1, "busy-loop"), (2, "gc-storm")])
def test_the_collector_is_named_first_if_half_of_the_looks_saw_it(
    collecting: int, said: str
) -> None:
    looks = [look_at(None, 0.5 * number) for number in range(4)]
    for number in range(collecting):
        (main,) = looks[number].threads()
        seen = capture(replace(main, collecting=True))
        looks[number] = replace(seen, taken_at=looks[number].taken_at)
    (found,) = run(with_progress(looks))
    assert found.id == said
    assert f"{collecting} of 4 looks" in found.sentence


def test_a_stack_that_was_not_read_last_is_told_by_the_other_looks() -> None:
    looks = [look_at(None, 0.5 * number) for number in range(4)]
    (main,) = looks[-1].threads()
    torn = capture(replace(main, python_stack=()))
    looks[-1] = replace(torn, taken_at=looks[-1].taken_at)
    (finding,) = run(with_progress(looks))
    assert "main.py:7 (step)" in finding.title


def look_at(function: str | None, at_s: float) -> Capture:
    """One look at a thread that computes; *function*: where the kernel saw it, None: it did not."""
    library = LIBC if function == "pthread_spin_lock" else "/opt/app/grid.so"
    stack = [native_frame(function, library), native_frame("grid_step", "/opt/app/grid.so")]
    main = replace(
        thread(
            "MainThread",
            state="R",
            still=False,
            python=[python_frame("step", 7)],
            native=[*stack, native_frame("_PyEval_EvalFrameDefault")] if function else None,
        ),
        native_sampled=function is not None,
        busy=1.0,
        runnable=1.0,
        cpu_ns=int(at_s * 1e9),
    )
    return replace(capture(main), taken_at=f"2030-01-02T03:04:{5 + at_s:06.3f}+00:00")
