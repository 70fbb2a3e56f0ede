"""A thread that collects garbage."""

from hangtui.findings.activity.busy_thread import BusyThread, busy_finding, cpu
from hangtui.findings.stack_queries import at, index_of, own_frame, told
from hangtui.findings.thresholds import COLLECTED_S, COLLECTING_LOOKS, SPIN_S
from hangtui.model import Finding, Progress, Severity, Thread

_IMPORTS = "<frozen importlib._bootstrap>"


def garbage(case: BusyThread) -> Finding:
    """What is told of it."""
    frame = own_frame(case.thread)
    progress = case.progress
    often = (
        f" It did so in {progress.collecting} of {progress.looks} looks."
        if progress and progress.looks > 1
        else ""
    )
    return busy_finding(
        case,
        "gc-storm",
        Severity.WARNING if progress and _storms(progress, case.thread) else Severity.NOTE,
        f"{case.name} is busy collecting garbage{at(frame)}",
        f"{case.name} is running: the cyclic garbage collector (gc) runs inside "
        f"{told(frame) or 'a function'}; it {cpu(case)}.{often} The collector walks over all "
        "objects that can refer to others, so with millions of them every full collection takes "
        "seconds.",
        (
            (
                f"Do not call gc.collect() for each request or item{at(frame)}, if that is what "
                "starts it; the collector runs on its own."
            ),
            (
                "After start-up: gc.collect(); gc.freeze() keeps the objects that stay out of "
                "all later collections. Or raise gc.set_threshold(100_000, 50, 1000)."
            ),
        ),
        ("how many objects there are",),
    )


def _storms(progress: Progress, thread: Thread) -> bool:
    """Whether it collects all the time; one collection may be seen by several looks in a row, the
    more so if it did not get a processor, and an interpreter that ends collects once more. Who
    imports large libraries makes many objects that stay: it starts, and collects meanwhile."""
    if index_of(thread, {"_find_and_load"}, _IMPORTS) is not None:
        return False
    often = progress.collecting >= max(COLLECTING_LOOKS, progress.looks / 2)
    used_s = (progress.busy or 0.0) * progress.lasted_s
    return progress.lasted_s >= SPIN_S and used_s >= COLLECTED_S and often
