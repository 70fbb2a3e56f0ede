"""A process that has most of the memory that its cgroup may use: the kernel will kill it there.

How it is known: the kernel tells the resident memory of the process, and the limit of its cgroup,
or the smallest of those of the cgroups around it.
"""

from hangtui.analysis.places import place
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.thresholds import MEMORY_SHARE
from hangtui.findings.words import ref
from hangtui.model import Capture, Certainty, Finding, Process, Severity

ID = "memory-limit"


def check(capture: Capture, _graph: WaitGraph) -> list[Finding]:
    """One finding for each process whose own memory is most of the limit."""
    found = (_finding(process) for process in capture.processes)
    return [finding for finding in found if finding is not None]


def _finding(process: Process) -> Finding | None:
    around, resident = process.around, process.rss_bytes
    limit = around.memory_limit_bytes if around else None
    if around is None or limit is None or resident is None or resident < MEMORY_SHARE * limit:
        return None
    share, kills = f"{resident / limit:.0%}", around.oom_kills or 0
    evidence = [
        f"resident memory (RSS) of process {process.pid}: {_mebibytes(resident)}",
        f"memory limit of its cgroup: {_mebibytes(limit)}",
    ]
    if around.memory_used_bytes is not None:
        evidence.append(f"used by all of the cgroup: {_mebibytes(around.memory_used_bytes)}")
    if kills:
        evidence.append(f"processes of the cgroup killed for want of memory so far: {kills}")
    main = next((thread for thread in process.threads if thread.tid == process.pid), None)
    where = place(main) if main else None
    if where:
        evidence.append(f"at that moment its main thread was at {where}")
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=Certainty.CERTAIN,
        title=f"Process {process.pid} uses {share} of the memory that its cgroup may have",
        sentence=(
            f"Its resident memory (RSS) is {_mebibytes(resident)}, and its cgroup (a container's "
            f"or a job's) has a limit of {_mebibytes(limit)}. If it grows on, the kernel's OOM "
            "killer ends it with SIGKILL, which no program can catch."
        ),
        threads=(ref(main),) if main else (),
        evidence=tuple(evidence),
        unknown=("whether it still grows, and who keeps the memory: Python objects or C code",),
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


def _mebibytes(size: int) -> str:
    return f"{size / 2**20:.0f} MiB"
