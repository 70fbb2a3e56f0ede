"""A lock that nobody can release without the GIL, which is kept by the thread that waits for it."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    GilState,
    NativeFrame,
    NodeKind,
    NoHolder,
    Severity,
    Thread,
)
from tests.unit.factories import (
    LIBC,
    capture,
    holds,
    lock,
    native_frame,
    python_frame,
    stood,
    thread,
    waits,
)

DRIVER = "/app/libdriver.so"
EVAL = native_frame("_PyEval_EvalFrameDefault")


def sleeping(*frames: NativeFrame) -> Thread:
    """A thread of Python's that does not wait for the GIL; *frames*: its innermost."""
    return thread("server", 102, python=[python_frame("serve", 9)], native=[*frames, EVAL])


def kept(*others: Thread, untold: bool = True, gil_waits: bool = True) -> Capture:
    """MainThread keeps the GIL and waits to write-lock what somebody has locked for reading."""
    main = thread(
        "MainThread",
        gil=GilState.HOLDS,
        python=[python_frame("reload", 26)],
        native=[native_frame("pthread_rwlock_wrlock", LIBC), EVAL],
    )
    reader = thread("reader", 101, gil=GilState.WAITS, python=[python_frame("read", 22)])
    gil, table = lock("GIL", 0x1, NodeKind.GIL), lock("rwlock", 0x2, NodeKind.RWLOCK)
    table = replace(
        table,
        note="held by 1 reader(s), which glibc does not record",
        no_holder=NoHolder.UNTOLD if untold else None,
    )
    return capture(
        main,
        reader,
        *others,
        resources=[gil, table],
        waits=[waits(main, table), *([waits(reader, gil)] if gil_waits else [])],
        holds=[holds(gil, main)],
    )


def told(made: Capture) -> Finding | None:
    return next((one for one in findings.run(made) if one.id == "gil-needed-to-release"), None)


def test_the_only_other_thread_waits_for_the_gil() -> None:
    finding = told(stood(kept()))

    assert finding is not None
    assert (finding.severity, finding.certainty) == (Severity.ERROR, Certainty.PROVEN)
    assert finding.title == (
        "Deadlock: MainThread keeps the GIL and waits at main.py:26 (reload) for the rwlock, "
        "which only reader could release, and reader waits for the GIL at main.py:22 (read)"
    )
    assert "main.py:26 (reload)" in finding.sentence
    assert [one.name for one in finding.threads] == ["MainThread", "reader"]


def test_a_signal_handler_of_python_cannot_run_while_the_gil_is_kept() -> None:
    finding = told(stood(kept(), "SIGTERM"))

    assert finding is not None
    assert finding.severity is Severity.ERROR


def test_one_look_is_a_warning() -> None:
    finding = told(kept())

    assert finding is not None
    assert finding.severity is Severity.WARNING


def test_it_is_told_once() -> None:
    assert [one.id for one in findings.run(kept())] == ["gil-needed-to-release"]


def test_a_thread_in_the_interpreters_own_code_needs_the_gil_first() -> None:
    accepting = sleeping(native_frame("accept4", LIBC), native_frame("sock_accept"))
    finding = told(kept(accepting))

    assert finding is not None
    assert "which only threads that need the GIL could release" in finding.title
    assert "server would need it first" in finding.sentence


@pytest.mark.parametrize(
    "other",
    [
        sleeping(native_frame("read", LIBC), native_frame("driver_poll", DRIVER)),
        replace(sleeping(native_frame("accept4", LIBC)), native_stack=None),
        replace(sleeping(native_frame("accept4", LIBC)), still=False),
        replace(sleeping(), is_python=False),
        replace(sleeping(), native_stack=(native_frame("poll", LIBC),)),
    ],
)
def test_somebody_who_may_release_it_without_the_gil(other: Thread) -> None:
    assert told(kept(other)) is None


def test_a_lock_that_may_be_shared_or_is_not_known_to_be_taken() -> None:
    assert told(kept(untold=False)) is None


def test_nobody_waits_for_that_gil() -> None:
    assert told(kept(gil_waits=False)) is None


def a_condition(*others: Thread, module: str | None = DRIVER) -> Capture:
    """The same, but what is waited for is a condition of the driver's."""
    made = kept(*others)
    gil, _ = made.resources
    done = lock("condition in libdriver.so", 0x3, NodeKind.CONDITION, module=module)
    main = made.processes[0].threads[0]
    waiting = (waits(main, done), made.waits[1])
    return replace(made, resources=(gil, done), waits=waiting)


def test_a_condition_that_a_thread_would_notify_which_needs_the_gil_first() -> None:
    finding = told(stood(a_condition()))

    assert finding is not None
    assert (finding.severity, finding.certainty) == (Severity.ERROR, Certainty.PROVEN)
    assert "which only reader could notify, and reader waits for the GIL" in finding.title
    assert "Whoever is to notify that cannot do so: reader waits for the GIL" in finding.sentence
    assert finding.advice[1] == "Or let that thread do it before it calls Python."


def test_a_native_thread_may_notify_it_without_the_gil() -> None:
    native = replace(thread("worker", 103, native=[native_frame("poll", LIBC)]), is_python=False)

    assert told(stood(a_condition(native))) is None
    assert told(stood(a_condition(module=None))) is None
