"""Whatever a capture holds, every row of every screen can be painted, in its width."""

from collections.abc import Iterable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.text import Text

from hangtui.model import (
    Capture,
    Certainty,
    Evidence,
    GilState,
    Hold,
    NativeFrame,
    NodeId,
    NodeKind,
    Notice,
    Process,
    PythonFrame,
    PythonInfo,
    Resource,
    Source,
    Syscall,
    Task,
    TaskState,
    Thread,
    Wait,
    process_id,
    resource_id,
    task_id,
    thread_id,
)
from hangtui.tui import status as lines
from hangtui.tui.keys import KEYS, ViewName
from hangtui.tui.rows.evidence import node_lines
from hangtui.tui.rows.findings import finding_lines, finding_rows, notice_lines, quiet_lines
from hangtui.tui.rows.frames import frame_lines
from hangtui.tui.rows.process_facts import facts
from hangtui.tui.rows.processes import process_rows
from hangtui.tui.rows.row import Row
from hangtui.tui.rows.stacks import StackMode, missing_sides, stack_of
from hangtui.tui.rows.threads import Sort, TableMode, thread_table
from hangtui.tui.rows.waits import wait_rows
from hangtui.tui.session import CaptureView, Session
from hangtui.tui.status import Status
from tests.shares import examples
from tests.tui.samples import HOSTILE

PIDS = st.integers(1, 3)
TIDS = st.integers(1, 6)
WORDS = st.one_of(st.sampled_from((*HOSTILE, "", "worker", "_worker", "a (b)", "a in b.so")))
RESOURCES = st.builds(
    resource_id,
    st.sampled_from([kind for kind in NodeKind if kind.is_resource]),
    PIDS,
    st.integers(1, 3),
)
THREADS = st.builds(thread_id, PIDS, TIDS)
EVIDENCE = st.builds(
    Evidence, st.sampled_from(Source), st.sampled_from(Certainty), WORDS, st.none() | WORDS
)
FRAMES = st.builds(
    PythonFrame, WORDS, WORDS, st.none() | st.integers(0, 9), st.none() | st.booleans()
)
NATIVE = st.builds(
    NativeFrame,
    st.none() | WORDS | st.just("_PyEval_EvalFrameDefault"),
    st.none() | st.sampled_from(["/usr/lib/libc.so.6", "[vdso]", "/x/libcuda.so"]),
    st.integers(0, 2**64 - 1),
    st.none() | WORDS,
    st.none() | st.integers(0, 9),
)


def tuples(strategy: st.SearchStrategy[object], most: int = 4) -> st.SearchStrategy[object]:
    return st.lists(strategy, max_size=most).map(tuple)


def threads_of(pid: int) -> st.SearchStrategy[tuple[Thread, ...]]:
    one = st.builds(
        Thread,
        st.just(pid),
        TIDS,
        WORDS,
        st.sampled_from("RSDTtZXI"),
        syscall=st.none() | st.builds(Syscall, WORDS, st.none() | WORDS),
        wchan=st.none() | WORDS,
        still=st.none() | st.booleans(),
        still_ms=st.none() | st.floats(0, 1e6),
        gil=st.none() | st.sampled_from(GilState),
        python_stack=st.none() | tuples(FRAMES),
        native_stack=st.none() | tuples(NATIVE),
        native_complete=st.booleans(),
        is_python=st.none() | st.booleans(),
    )
    return st.lists(one, max_size=5, unique_by=lambda thread: thread.tid).map(tuple)


def process(pid: int) -> st.SearchStrategy[Process]:
    return st.builds(
        Process,
        st.just(pid),
        st.integers(0, 3),
        tuples(WORDS),
        st.sampled_from("RSDTtZ"),
        python=st.none() | st.builds(PythonInfo, WORDS),
        user=st.none() | WORDS,
        cpu_percent=st.none() | st.floats(0, 100),
        rss_bytes=st.none() | st.integers(0, 2**40),
        stopped_for_ms=st.none() | st.floats(0, 1e5),
        threads=threads_of(pid),
    )


TASK_IDS = st.builds(task_id, PIDS, st.integers(1, 3))
ACTORS = THREADS | TASK_IDS
TASKS = TASK_IDS.flatmap(
    lambda node: st.builds(
        Task,
        st.just(node),
        PIDS,
        WORDS,
        st.none() | WORDS,
        st.sampled_from(TaskState),
        st.just(1),
        st.none() | TIDS,
        st.none() | tuples(FRAMES),
        st.none() | WORDS,
    )
)
# A busy machine makes examples slowly, and that is no fault of what is drawn of them.
SOME = settings(
    max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
CAPTURES = st.builds(
    Capture,
    taken_at=WORDS | st.just("2026-08-30T12:04:51+00:00") | st.just("2026-08-30T12:04:51"),
    host=WORDS,
    processes=st.lists(PIDS, unique=True, max_size=3).flatmap(
        lambda pids: st.tuples(*(process(pid) for pid in pids))
    ),
    resources=st.lists(
        RESOURCES.flatmap(
            lambda node: st.builds(
                Resource,
                st.just(node),
                st.sampled_from(NodeKind),
                WORDS,
                PIDS,
                st.integers(0, 9),
                name=st.none() | WORDS,
                detail=st.none() | WORDS,
                type_name=st.none() | WORDS,
            )
        ),
        max_size=4,
        unique_by=lambda resource: resource.id,
    ).map(tuple),
    waits=tuples(
        st.builds(
            Wait,
            ACTORS,
            RESOURCES | ACTORS | PIDS.map(process_id) | WORDS.map(NodeId),
            EVIDENCE,
            st.booleans(),
        ),
        8,
    ),
    holds=tuples(st.builds(Hold, RESOURCES, ACTORS, EVIDENCE), 8),
    tasks=st.lists(TASKS, max_size=3, unique_by=lambda task: task.id).map(tuple),
    notices=tuples(st.builds(Notice, WORDS, WORDS, st.none() | WORDS), 2),
    pending=tuples(WORDS, 3),
)


def fit(texts: Iterable[Text], width: int) -> None:
    for text in texts:
        assert text.cell_len <= max(width, 0), (text.plain, width)


def painted(rows: Iterable[Row], width: int) -> None:
    for row in rows:
        texts = row.paint(width)
        assert len(texts) == row.height


@SOME
@given(CAPTURES, st.integers(0, 130))
def test_every_row_of_every_screen_can_be_painted(capture: Capture, width: int) -> None:
    view = CaptureView.of(capture, CaptureView.of(capture))
    assert not view.mistakes
    session = Session().arrived(view, grows=False)

    for sort in Sort:
        for other in (False, True):
            mode = TableMode(sort, inverted=other, hide_idle=other, unfolded=other)
            groups = view.groups_of(session.process)
            table = thread_table(view, groups, mode, worst=next(iter(view.findings), None))
            painted(table.every, width)
            painted(table.rows, width)
            table.heading(width)
    rows = wait_rows(view)
    painted(rows.rows, width)
    assert {row.key for row in rows.rows} >= {
        t for t in view.threads if view.graph.cycle_of(t) is not None
    }
    for node in view.graph.nodes:
        fit(node_lines(view, node.id, max(width, 30)), max(width, 30))
    painted(process_rows(view).rows, width)
    facts(view, session.process, max(width, 1))


@SOME
@given(CAPTURES, st.integers(0, 130))
def test_stacks_findings_and_bars_can_be_painted(capture: Capture, width: int) -> None:
    view = CaptureView.of(capture)
    session = Session().arrived(view, grows=False)
    for thread in capture.threads():
        for fold in (False, True):
            missing = missing_sides(thread, pending=fold)
            stack = stack_of(thread, StackMode(fold, outermost_first=fold), missing)
            painted(stack.rows, width)
            stack.heading(width)
            for frames in stack.frames.values():
                fit(frame_lines(frames, max(width, 30)), max(width, 30))
    for cards in (False, True):
        painted(finding_rows(view, cards=cards), width)
    for finding in view.findings:
        fit(finding_lines(finding, max(width, 30)), max(width, 30))
    for notice in view.notices:
        fit(notice_lines(notice, max(width, 30)), max(width, 30))
    quiet_lines(view, max(width, 1))
    fit([lines.header(session, Status(taking=True), width)], width)
    fit([lines.tabs(ViewName.WAITS, session, Status(auto=True), "note", width)], width)
    fit([lines.footer([(key, True) for key in KEYS if key.rank], max(width, 40))], max(width, 40))


@SOME
@given(CAPTURES)
def test_every_thread_is_among_the_waits(capture: Capture) -> None:
    """As a row of its own, in one that stands for several, or counted as deeper."""
    view = CaptureView.of(capture)
    keys = [row.key for row in wait_rows(view).rows]

    assert len(keys) == len(set(keys))
    if not any(key.startswith("deeper:") for key in keys):
        assert set(view.threads) <= set(keys)
