"""A process that has most of the memory that its cgroup may use, or grows so that it soon will: the
kernel will kill it there.

How it is known: the kernel tells the resident memory of the process, and the limit of its cgroup,
or the smallest of those of the cgroups around it. That it grows, `hangtui check` sees in several
looks.
"""

from collections.abc import Iterator

from hangtui.analysis.places import place
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.grounds import COUNTED
from hangtui.findings.needs import Needs
from hangtui.findings.stack_queries import main_thread
from hangtui.findings.thresholds import LIMIT_AHEAD_S, MEMORY_SHARE
from hangtui.findings.words import ref
from hangtui.model import Capture, Certainty, Finding, Growth, Process, Severity, Surroundings

ID = "memory-limit"
GROUND = COUNTED
NEEDS = Needs(frozenset(), whole=False)


def check(capture: Capture, _graph: WaitGraph) -> list[Finding]:
    """One finding for each process whose own memory is most of the limit, or soon will be."""
    growth = {one.pid: one for one in capture.growth}
    found = (_finding(process, growth.get(process.pid)) for process in capture.processes)
    return [finding for finding in found if finding is not None]


def _finding(process: Process, growth: Growth | None) -> Finding | None:
    around, resident = process.around, process.rss_bytes
    limit = around.memory_limit_bytes if around else None
    if around is None or limit is None or resident is None:
        return None
    soon_s = (limit - resident) / growth.rate if growth else None
    soon = soon_s is not None and soon_s <= LIMIT_AHEAD_S
    if resident < MEMORY_SHARE * limit and not soon:
        return None
    share = f"{resident / limit:.0%}"
    main = main_thread(process)
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=Certainty.CERTAIN,
        title=(
            f"Process {process.pid} grows, and at this pace reaches the memory limit of its cgroup "
            f"in {soon_s:.0f} s"
            if soon
            else f"Process {process.pid} uses {share} of the memory that its cgroup may have"
        ),
        sentence=(
            f"Its resident memory (RSS) is {_mebibytes(resident)}, and its cgroup (a container's "
            f"or a job's) has a limit of {_mebibytes(limit)}.{_pace(growth)} If it keeps growing, "
            "the kernel's OOM killer ends it with SIGKILL, which no program can catch."
        ),
        threads=(ref(main),) if main else (),
        subject=process.id,
        processes=(process.pid,),
        evidence=tuple(_evidence(process, around, growth)),
        unknown=(
            "who keeps the memory: Python objects or C code; and whether it is a leak"
            if growth
            else "whether it still grows, and who keeps the memory: Python objects or C code",
        ),
        advice=(
            (
                f"See whether it grows: hangtui watch {process.pid}; or grep VmRSS "
                f"/proc/{process.pid}/status, twice"
            ),
            (
                f"Find who allocates: memray attach {process.pid}, or python -X tracemalloc; "
                "memory that these do not see is C code's (a leak in an extension)."
            ),
        ),
    )


def _evidence(process: Process, around: Surroundings, growth: Growth | None) -> Iterator[str]:
    yield f"resident memory (RSS) of process {process.pid}: {_mebibytes(process.rss_bytes or 0)}"
    yield f"memory limit of its cgroup: {_mebibytes(around.memory_limit_bytes or 0)}"
    if around.memory_used_bytes is not None:
        yield f"used by all of the cgroup: {_mebibytes(around.memory_used_bytes)}"
    if growth:
        yield (
            f"it grew from each of {growth.looks} looks to the next, by "
            f"{_mebibytes(growth.grown_bytes)} in {growth.lasted_s:.1f} s"
        )
    if around.oom_kills:
        yield f"processes of the cgroup killed for lack of memory so far: {around.oom_kills}"
    main = main_thread(process)
    where = place(main) if main else None
    if where:
        yield f"at that moment its main thread was at {where}"


def _pace(growth: Growth | None) -> str:
    return f" It grows by {_mebibytes(int(growth.rate))} a second." if growth else ""


def _mebibytes(size: int) -> str:
    return f"{size / 2**20:.0f} MiB"
