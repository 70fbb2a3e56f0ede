"""Threads that a native library has started for itself."""

from dataclasses import replace

import pytest

from hangtui.analysis.native_threads import library_of
from hangtui.analysis.waitgraph import build
from hangtui.diagnosis import diagnose
from hangtui.model import NativeFrame, NodeKind, Thread
from hangtui.report.text_report import to_text
from hangtui.tui.rows.folding import folded
from hangtui.tui.session import CaptureView
from hangtui.tui.units import Placed
from tests.unit.factories import PID, capture, holds, lock, native_frame, thread, waits

LIBC = "/lib/x86_64-linux-gnu/libc.so.6"
CUDA = "/usr/lib/libcuda.so.580.159.04"
LOCK = lock("mutex in libcuda.so", 0x10, NodeKind.MUTEX)


def native(tid: int, *modules: str) -> Thread:
    """One that sleeps in these modules, innermost first."""
    frames: list[NativeFrame] = [native_frame("f", one) for one in modules]
    return replace(thread(f"cuda{tid}", tid, native=frames), is_python=False)


def test_who_stands_in_one_library_alone_is_of_it() -> None:
    one = native(101, LIBC, CUDA, LIBC)
    assert library_of(one, build(capture(one))) == "libcuda"


@pytest.mark.parametrize(
    "one",
    [
        native(101, LIBC, CUDA, "/opt/app/engine.so", LIBC),
        native(101, LIBC),
        replace(native(101, LIBC, CUDA), is_python=True),
        replace(native(101, LIBC, CUDA), state="R"),
        replace(native(101, LIBC, CUDA), native_complete=False),
    ],
    ids=["two", "none", "python", "runs", "breaks off"],
)
def test_others_are_not(one: Thread) -> None:
    assert library_of(one, build(capture(one))) is None


def test_who_holds_something_or_waits_for_it_is_not() -> None:
    one, two = native(101, LIBC, CUDA), native(102, LIBC, CUDA)
    graph = build(
        capture(one, two, resources=[LOCK], waits=[waits(one, LOCK)], holds=[holds(LOCK, two)])
    )
    assert [library_of(each, graph) for each in (one, two)] == [None, None]


def test_many_are_one_in_the_report_and_come_last() -> None:
    main = thread("MainThread", PID, native=[native_frame("poll", LIBC)])
    made = capture(*(native(PID + n, LIBC, CUDA) for n in (1, 2, 3, 5)), main)
    text = to_text(diagnose(made))
    assert f"4 threads of libcuda  TID {PID + 1}-{PID + 3}, {PID + 5}" in text
    assert text.index("MainThread") < text.index("threads of libcuda")
    few = to_text(diagnose(capture(*(native(PID + n, LIBC, CUDA) for n in (1, 2)), main)))
    assert "threads of libcuda" not in few


@pytest.mark.parametrize(("name", "rows"), [("cuda", 1), ("engine", 2)])
def test_what_woke_up_while_it_was_read_stands_with_those_of_its_name(name: str, rows: int) -> None:
    read = [replace(native(PID + n, LIBC, CUDA), name="cuda") for n in (1, 2, 3)]
    unread = replace(native(PID + 4), name=name, native_stack=None, still=False)
    view = CaptureView.of(capture(*read, unread))
    found = list(folded(view, map(Placed, (*read, unread)), fold=True))
    assert len(found) == rows
    assert max(one.count for one in found) == (4 if rows == 1 else 3)
