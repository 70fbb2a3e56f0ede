"""What processes are called by what they are in a job, rather than by a number alone."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from hangtui.analysis.latest import of_latest
from hangtui.findings.english import listed, runs
from hangtui.model import Capture, JobPlace, Process, Thread

_LOADER = ("_worker_loop", "/torch/utils/data/_utils/worker.py")
_MANAGERS = "/multiprocessing/managers.py"
_NUMBER = re.compile(r"[0-9]+")
"""What may differ in the command lines of processes that are started for the same work."""
_OF_RANKS = ("pt_gloo", "gloo_tcp", "pt_nccl")
"""How threads are called that torch starts in a process which takes part in collectives."""
_SERVICES = {"ipykernel_launcher": "Jupyter kernel", "ipykernel": "Jupyter kernel"}
"""What processes are whose command line says of what they are a part: by their title."""
RPC_POOL = "pt_thread_pool"
"""How torch calls the threads that run the remote calls of a worker."""


def roles_of(capture: Capture) -> Mapping[int, str]:
    """By PID, what a process is: ``rank 1``, ``DataLoader worker of rank 1``, ``ray::Cart``, or
    what the program calls it; only of those that have a part in something of several processes."""
    if not capture.processes[1:]:
        return {}
    places = places_of(capture)
    by_pid = {process.pid: process for process in capture.processes}
    ranks, remote = ranks_among(capture), rpc_names(capture)
    alike = Counter(_kind(process) for process in capture.processes)
    roles = {}
    for process in capture.processes:
        place, parent = places.get(process.pid), by_pid.get(process.ppid)
        if process.role and not (ranks.get(process.pid) and alike[_kind(process)] > 1):
            roles[process.pid] = process.role
        elif place is None:
            if role := _without_place(process, remote):
                roles[process.pid] = role
        elif ranks[process.pid]:
            roles[process.pid] = f"rank {place.rank}"
        elif parent is None or places.get(parent.pid) != place:
            continue  # it starts ranks
        elif _loads(process):
            roles[process.pid] = f"DataLoader worker of rank {place.rank}"
        else:
            same = process.title == parent.title
            roles[process.pid] = f"{'child' if same else process.title} of rank {place.rank}"
    return roles


def _without_place(process: Process, remote: Mapping[int, str]) -> str | None:
    """What a process is that has no place in a job; *remote*: what workers of RPC are called."""
    if _loads(process):
        return "DataLoader worker"
    if process.pid in remote:
        return f"RPC worker {remote[process.pid]}"
    called = process.python.called if process.python else None
    return called or _SERVICES.get(process.title)


def _kind(process: Process) -> str | None:
    """``ray::Cart`` of ``ray::Cart.reserve``: what processes of one kind have in common, and what
    does not tell ranks apart."""
    return process.role.partition(".")[0] if process.role else None


def beside(role: str, title: str) -> str:
    """What is told of a process besides its role: its title, unless the role begins with that."""
    return "" if role.startswith(title) else title


@of_latest
def places_of(capture: Capture) -> Mapping[int, JobPlace]:
    """By PID, the place of each process in its job. Who starts all other ranks and takes part
    itself, as Lightning does, has the place that is left, although nobody has told it so; and so
    has the only one that was started beside them and knows none yet."""
    told = {process.pid: process.job for process in capture.processes if process.job}
    children: dict[int, list[JobPlace]] = {}
    for process in capture.processes:
        if process.job is not None:
            children.setdefault(process.ppid, []).append(process.job)
    left = {
        process.pid: place
        for process in capture.processes
        if process.pid not in told and _takes_part(process)
        and (place := _left(children.get(process.pid, ())))
    }  # fmt: skip
    for ranks, others in latecomers(capture):
        if others[1:]:
            continue  # nobody knows which is which
        if place := _left([one.job for one in ranks if one.job]):
            left[others[0].pid] = place
    return {**told, **left}


@of_latest
def latecomers(capture: Capture) -> list[tuple[list[Process], list[Process]]]:
    """Ranks of a job that one process has started, and those it has started like them that know no
    place, if these are as many as are missing: they have not come to the call that tells it."""
    started: dict[tuple[int, str], list[Process]] = {}
    for process in capture.processes:
        if process.python is not None:
            kind = process.ppid, _NUMBER.sub("", " ".join(process.cmdline))
            started.setdefault(kind, []).append(process)
    found = []
    for those in started.values():
        ranks = [one for one in those if one.job]
        others = [one for one in those if not one.job]
        places = {one.job.rank: one.job.size for one in ranks if one.job}
        sizes = set(places.values())
        whole = len(places) == len(ranks) and sizes == {len(those)}
        if ranks and others and whole:
            found.append((ranks, others))
    return found


def _left(places: Sequence[JobPlace]) -> JobPlace | None:
    """The only place that *places* leave of their job."""
    sizes = {place.size for place in places}
    size = next(iter(sizes)) if len(sizes) == 1 else None
    if size is None or size != len({place.rank for place in places}) + 1:
        return None
    left = set(range(size)) - {place.rank for place in places}
    return JobPlace(left.pop(), None, size) if len(left) == 1 else None


@of_latest
def rpc_names(capture: Capture) -> Mapping[int, str]:
    """By PID, what workers of torch's RPC are called, as they say themselves; the last one by the
    name that is left, if it alone of those with the same parent has threads for remote calls."""
    known = {one.pid: one.name for one in capture.rpc_workers if one.name is not None}
    names = frozenset[str]().union(*(one.names for one in capture.rpc_workers))
    left = names - set(known.values())
    parents = {process.ppid for process in capture.processes if process.pid in known}
    others = [p for p in capture.processes if p.pid not in known and runs_remote_calls(p)]
    if len(left) == len(others) == 1 and parents == {others[0].ppid}:
        known[others[0].pid] = next(iter(left))
    return known


def runs_remote_calls(process: Process) -> bool:
    """Whether it has threads for what other workers of torch's RPC call."""
    return any((thread.comm or "") == RPC_POOL for thread in process.threads)


def _takes_part(process: Process) -> bool:
    return any(map(carries_collectives, process.threads))


def carries_collectives(thread: Thread) -> bool:
    """Whether it is a thread of C++ that torch has started to carry out collectives."""
    return not thread.is_python and (thread.comm or "").startswith(_OF_RANKS)


@of_latest
def ranks_among(capture: Capture) -> Mapping[int, bool]:
    """By PID, whether a process that has a place is one of a job itself. What it has started was
    told the same, and is none; nor is who was told a rank and starts others with ranks of their
    own, as torchrun does in a step of Slurm, and does not take part itself."""
    places = places_of(capture)
    above = {process.pid: places.get(process.ppid) for process in capture.processes}
    told = [process for process in capture.processes if process.job]
    starts = {p.ppid for p in told if above[p.pid] not in (None, p.job)}
    starts &= {process.pid for process in told if process.job and not process.job.member}
    return {pid: pid not in starts and above[pid] != place for pid, place in places.items()}


def ranks_told(numbers: Iterable[int]) -> str:
    """``rank 3``, ``ranks 0-2, 4-511``."""
    names = runs(numbers)
    several = len(names) > 1 or any("-" in name for name in names)
    return f"rank{'s' if several else ''} {listed(names)}"


def _loads(process: Process) -> bool:
    return any(
        frame.function.rpartition(".")[2] == _LOADER[0] and frame.filename.endswith(_LOADER[1])
        for thread in process.threads
        for frame in thread.python_stack or ()
    )


def serves_proxies(thread: Thread) -> bool:
    """Whether it serves one client of a manager of multiprocessing: it bears that one's name."""
    stack = thread.python_stack or ()
    serves = (f.function.endswith("serve_client") and f.filename.endswith(_MANAGERS) for f in stack)
    return thread.tid != thread.pid and any(serves)
