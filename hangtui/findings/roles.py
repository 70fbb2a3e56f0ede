"""What processes are called by what they are in a job, rather than by a number alone."""

from collections.abc import Iterable, Mapping

from hangtui.findings.english import listed
from hangtui.model import Capture, Process

_LOADER = ("_worker_loop", "/torch/utils/data/_utils/worker.py")


def roles_of(capture: Capture) -> Mapping[int, str]:
    """By PID, what a process is: ``rank 1``, ``DataLoader worker of rank 1``, ``ray::Cart``; only
    of those that have a part in something of several processes."""
    if not capture.processes[1:]:
        return {}
    places = {p.pid: p.job for p in capture.processes if p.job}
    by_pid = {process.pid: process for process in capture.processes}
    roles = {}
    for process in capture.processes:
        place, parent = places.get(process.pid), by_pid.get(process.ppid)
        above = places.get(process.ppid)
        if process.role:
            roles[process.pid] = process.role
        elif place is None:
            if _loads(process):
                roles[process.pid] = "DataLoader worker"
        elif parent is None or above is None or above.rank != place.rank:
            roles[process.pid] = f"rank {place.rank}"
        elif _loads(process):
            roles[process.pid] = f"DataLoader worker of rank {place.rank}"
        else:
            same = process.title == parent.title
            roles[process.pid] = f"{'child' if same else process.title} of rank {place.rank}"
    return roles


def is_rank(process: Process, capture: Capture) -> bool | None:
    """Whether a process is one of a job itself, and not what that has started; None: not known."""
    place = process.job
    if place is None:
        return None
    parent = capture.process(process.ppid)
    above = parent.job if parent else None
    return above is None or above.rank != place.rank


def ranks_told(numbers: Iterable[int]) -> str:
    """``rank 3``, ``ranks 0-2, 4-511``."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1][1:] = [number]
        else:
            runs.append([number])
    names = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]
    several = len(runs) > 1 or any(len(run) > 1 for run in runs)
    return f"rank{'s' if several else ''} {listed(names)}"


def _loads(process: Process) -> bool:
    return any(
        frame.function.rpartition(".")[2] == _LOADER[0] and frame.filename.endswith(_LOADER[1])
        for thread in process.threads
        for frame in thread.python_stack or ()
    )
