"""A busy thread that keeps the GIL in C code while others wait for it."""

from collections.abc import Iterable

from hangtui.analysis.frame_classifier import module_name
from hangtui.analysis.places import (
    called_frame,
    native_name,
    natives_until_python,
)
from hangtui.findings.activity.busy_thread import BusyThread, busy_finding
from hangtui.findings.activity.interpreters_work import work_of
from hangtui.findings.english import listed
from hangtui.findings.rings.deadlock_advice import RELEASE_GIL
from hangtui.findings.stack_queries import at, native_index, own_frame
from hangtui.findings.thresholds import KEPT_GIL_MS, RAN_WITH_GIL_MS
from hangtui.model import Finding, GilState, NativeFrame, PythonFrame, Severity, Thread


def hogs(case: BusyThread) -> bool:
    """Whether it keeps the GIL in C code: running Python, it would have given it away by now."""
    kept, share = case.thread.gil_kept_ms, case.thread.busy
    if case.thread.gil is not GilState.HOLDS:
        return False
    if case.progress is not None and case.progress.gil_kept_ms is not None:
        kept, share = case.progress.gil_kept_ms, case.share
    if kept is None:
        return case.native is not None
    # Who gets no processor cannot give it away either: the time in which it ran must do.
    ran = kept * (1.0 if share is None else min(share, 1.0))
    in_c = case.native is not None or work_of(case.thread) is not None
    return kept >= KEPT_GIL_MS and ran >= (RAN_WITH_GIL_MS if in_c else KEPT_GIL_MS)


def gil_waiters(threads: Iterable[Thread]) -> dict[int, list[Thread]]:
    """Those that wait for a GIL, by PID."""
    found: dict[int, list[Thread]] = {}
    for thread in threads:
        if thread.gil is GilState.WAITS or native_index(thread, {"take_gil"}):
            found.setdefault(thread.pid, []).append(thread)
    return found


def hog(case: BusyThread, waiters: list[Thread]) -> Finding:
    """What is said of one that keeps the GIL from *waiters*."""
    inside = (f for f in natives_until_python(case.thread) if f.function)
    inner = case.native or next((f for f in inside if not _of_libc(f)), None)
    called = called_frame(case.thread) or inner
    name = native_name(called) if called else "C code of the interpreter"
    frame = own_frame(case.thread)
    names = listed([case.words.thread_name(waiter) for waiter in waiters])
    one = len(waiters) == 1
    kept = case.thread.gil_kept_ms
    for_ = f", for {kept:.0f} ms without a break" if kept else ""
    work = work_of(case.thread)
    does = f" It is {work.says} there." if work else ""
    return busy_finding(
        case,
        "gil-hog",
        Severity.WARNING,
        f"{case.name} runs {name} without releasing the GIL; "
        f"{len(waiters)} {'thread waits' if one else 'threads wait'}",
        f"{case.name} is busy in native code, {name}{called_at(frame)}: it runs and keeps the GIL"
        f"{for_}.{does} Until it releases that, no other thread can run Python: {names} "
        f"{'waits' if one else 'wait'} for the GIL.",
        _advice(name, frame) if case.native else _advice_inside(name, frame),
        ("whether it will end",),
    )


def called_at(frame: PythonFrame | None) -> str:
    """``, called at main.py:44 (stage)``, or nothing."""
    return f", called{at(frame)}" if frame else ""


def _of_libc(frame: NativeFrame) -> bool:
    return module_name(frame).startswith(("libc.", "libc-", "libm.", "libm-"))


def _advice(name: str, frame: PythonFrame | None) -> tuple[str, ...]:
    return (
        f"Release the GIL around the loop in {name}: {RELEASE_GIL}.",
        (
            f"If it does not end at all: look at its arguments{at(frame)}; a loop that waits for "
            "convergence needs a limit, and a test for NaN."
        ),
    )


def _advice_inside(name: str, frame: PythonFrame | None) -> tuple[str, ...]:
    """For the interpreter's own C code, which nobody can change."""
    if name.startswith("sre_"):
        return (
            (
                f"Rewrite the regular expression{at(frame)}: where one repetition is inside "
                "another, as in (a+)+, the time doubles with every character."
            ),
            "Limit what it is matched against, or match in a process that can be killed.",
        )
    return (
        (
            f"Give that one call less to do{at(frame)}: in pieces, so that other threads get a "
            "turn in between; or do it in another process."
        ),
    )
