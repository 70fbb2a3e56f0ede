"""Who may have the spin lock that a thread spins for: others at work in the same library."""

from hangtui.analysis.places import called_frame, innermost_foreign, native_name
from hangtui.findings.activity.busy_thread import BusyThread, spins
from hangtui.findings.english import joined
from hangtui.findings.thresholds import NAMES_LISTED


def working_beside(case: BusyThread) -> str:
    """``keeper is busy in grind (libpump.so)``, of the threads of its process that ran in functions
    of the same library which are not there to spin; empty: there are none."""
    process = case.words.capture.process(case.thread.pid)
    mine = called_frame(case.thread) or case.native
    found = []
    if process is None or mine is None:
        return ""
    for one in process.threads:
        called = called_frame(one)
        if one.id == case.thread.id or called is None or called.module != mine.module:
            continue
        course = case.words.progress.get(one.id)
        other = BusyThread(one, course, innermost_foreign(one), case.words)
        if one.native_sampled and course is not None and course.ran and not spins(other):
            found.append(f"{case.words.thread_name(one)} is busy in {native_name(called)}")
    return joined(found[:NAMES_LISTED])
