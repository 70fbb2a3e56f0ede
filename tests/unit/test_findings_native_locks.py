"""Locks of C libraries in the words of these."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.findings.beyond_doubt import waking_signals
from hangtui.findings.native_locks import entered_by, library_name, told_purpose
from hangtui.model import (
    Certainty,
    NativeFrame,
    NodeKind,
    PythonFrame,
    Resource,
    Surroundings,
    Syscall,
    Thread,
)
from tests.unit.factories import (
    LIBC,
    capture,
    holds,
    lock,
    native_frame,
    python_frame,
    thread,
    waits,
)

SQLITE = "/usr/lib/x86_64-linux-gnu/libsqlite3.so.0.8.6"
EVAL = native_frame("_PyEval_EvalFrameDefault")


def entered(function: str, line: int) -> PythonFrame:
    return replace(python_frame(function, line), entry=True)


def of_file(path: str, offset: int) -> Resource:
    detail, name = f"offset {offset}", f"mutex in {path}"
    made = lock(f"{name} ({detail})", 0x1, NodeKind.MUTEX)
    return replace(made, name=name, detail=detail)


def test_the_second_mutex_in_the_lock_file_of_lmdb_is_the_writers() -> None:
    writer = of_file("/srv/db/lock.mdb", 64)

    assert library_name(writer) == "LMDB's writer lock of /srv/db"
    assert "from begin(write=True) to the end" in told_purpose(writer)


@pytest.mark.parametrize(
    "other",
    [
        of_file("/srv/db/lock.mdb", 0),
        of_file("/srv/db/block.mdb", 64),
        lock("lock.mdb", 0x1),
        replace(lock("mutex in libfoo.so", 0x1, NodeKind.MUTEX), module="/usr/lib/libfoo.so"),
    ],
)
def test_other_locks_have_no_words_of_a_library(other: Resource) -> None:
    assert library_name(other) is None
    assert told_purpose(other) == ""


def in_sqlite(*, calls_back: bool = True) -> Thread:
    """A statement, in which SQLite has called a function of the program."""
    back = [EVAL, native_frame("sqlite3VdbeExec", SQLITE)] if calls_back else []
    python = [entered("counted", 14)] if calls_back else []
    return thread(
        "MainThread",
        100,
        python=[*python, entered("main", 28)],
        native=[*back, EVAL],
    )


MUTEX = replace(lock("mutex in libsqlite3.so.0.8.6", 0x2, NodeKind.MUTEX, module=SQLITE), name=None)


def test_who_is_inside_of_the_library_entered_it_at_some_line() -> None:
    unknown = replace(in_sqlite(), python_stack=(python_frame("main", 28),))

    assert entered_by(in_sqlite(), MUTEX) == entered("main", 28)
    assert entered_by(in_sqlite(calls_back=False), MUTEX) is None
    assert entered_by(in_sqlite(), replace(MUTEX, module=None)) is None
    assert entered_by(unknown, MUTEX) is None


def test_a_ring_tells_where_the_mutex_was_taken_and_what_it_is_for() -> None:
    main, reporter = in_sqlite(), thread("reporter", 101, python=[python_frame("report", 23)])
    stats = lock("stats_lock", 0x3)
    made = capture(
        main,
        reporter,
        resources=[MUTEX, stats],
        waits=[waits(main, stats), waits(reporter, MUTEX)],
        holds=[holds(MUTEX, main), holds(stats, reporter, Certainty.PROVEN)],
    )
    found = next(one for one in findings.run(made) if one.id == "deadlock")

    assert "(it is inside of libsqlite3.so.0.8.6, called at main.py:28 (main))" in found.sentence
    assert "waits inside of sqlite3VdbeExec, at main.py:14 (counted), for" in found.sentence
    assert "By its mutex SQLite lets one thread at a time use a connection." in found.sentence


def test_a_mutex_of_a_library_that_the_only_thread_waits_for_is_given_back_by_nobody() -> None:
    core = "/venv/PySide6/Qt/lib/libQt6Core.so.6"
    mutex = lock("mutex in libQt6Core.so.6", 0x2, NodeKind.MUTEX, module=core)
    stack = [python_frame("total", 25), python_frame("show_total", 38), python_frame("add", 21)]
    one = thread("MainThread", 100, python=stack)
    made = capture(one, resources=[mutex], waits=[waits(one, mutex)])
    first = findings.run(made)[0]

    assert first.id == "nobody-left-to-wake"
    assert first.title.startswith("Nobody is left to release the mutex in libQt6Core.so.6")
    assert "Who took it is not known" in first.sentence
    assert "called from main.py:38 (show_total), from main.py:21 (add)" in first.sentence


def test_a_mutex_that_another_thread_has_is_not_said_to_be_nobodys() -> None:
    one, two = thread("MainThread", 100), thread("writer", 101)
    made = capture(
        *(one, two), resources=[MUTEX], waits=[waits(one, MUTEX)], holds=[holds(MUTEX, two)]
    )

    assert all(found.id != "nobody-left-to-wake" for found in findings.run(made))


@pytest.mark.parametrize(
    ("inner", "left"),
    [
        ([native_frame("lockInternal", "/venv/libQt6Core.so.6")], ()),
        ([native_frame("PyThread_acquire_lock_timed")], ("SIGUSR1",)),
        (
            [
                native_frame("PyThread_acquire_lock_timed"),
                native_frame("wait", "/venv/libQt6Core.so.6"),
            ],
            ("SIGUSR1",),
        ),
    ],
)
def test_no_handler_is_run_while_the_main_thread_sleeps_in_somebodys_c_code(
    inner: list[NativeFrame], left: tuple[str, ...]
) -> None:
    native = [native_frame("__futex_abstimed_wait", LIBC), *inner, EVAL]
    main = thread("MainThread", 100, 100, native=native, syscall=Syscall("futex"))
    (made,) = capture(main).processes
    made = replace(made, around=Surroundings(handles_signals=("SIGUSR1",), children=()))

    assert waking_signals(made) == left


@pytest.mark.parametrize("forked_from", [None, 90])
def test_a_futex_that_the_only_thread_of_a_process_waits_for_is_changed_by_nobody(
    forked_from: int | None,
) -> None:
    word = lock("futex word in libfx.so", 0x2, NodeKind.FUTEX, module="/opt/libfx.so")
    one = thread("MainThread", 100, 100, python=[python_frame("cook", 4)])
    made = capture(one, resources=[word], waits=[waits(one, word, Certainty.UNKNOWN)])
    (process,) = made.processes
    around = Surroundings(handles_signals=(), children=(), forked_from=forked_from)
    made = replace(made, processes=(replace(process, around=around),))
    told = [one.title for one in findings.run(made)]

    said = "Nobody is left to change the futex word in libfx.so"
    assert any(one.startswith(said) for one in told) is (forked_from is None)
