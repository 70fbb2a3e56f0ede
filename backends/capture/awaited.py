"""Which processes are read although nobody asked for them: those that the others wait for."""

import contextlib
from collections.abc import Collection, Iterable
from itertools import islice

from hangtui.backends import heartbeat
from hangtui.backends.capture.workers import workers
from hangtui.backends.facts import Facts
from hangtui.backends.ipc import relatives
from hangtui.backends.permission import access
from hangtui.backends.process import context, discovery, job, ray_node
from hangtui.backends.procfs.files import PROC
from hangtui.model import NodeKind, Process, TaskState, Traffic

_RANK_THREADS = ("pt_gloo", "gloo_tcp", "pt_nccl", "pt_tcpstore", "pt_autograd_dist")
"""How the native threads of torch.distributed begin."""
_AGENT = "pt_elastic"
"""What torchrun calls its main thread (torch 2.13)."""
_MOST = 16
"""How many are read although nobody asked for them."""
_MOST_ASKED = 64
"""Of whom is asked where in the kernel they sleep, or what they run."""
_SILENT_S = 1.0
"""For how long somebody is silent who is looked into for that."""
_PATIENCE_S = 2.0
"""The kernel says at once which program one runs, unless that keeps its memory map locked."""


def awaited(facts: Facts, processes: Collection[Process]) -> tuple[int, ...]:
    """PIDs of the processes beside *processes* that threads of these wait for, or that work for
    them: Python processes, nodes of Ray, and whatever they started that they wait for."""
    held = {wait.target for wait in facts.waits if not wait.expires}
    nodes = [*held, *(hold.holder for hold in facts.holds if hold.resource in held)]
    found = {node.pid for node in nodes if node.kind is NodeKind.PROCESS}
    found |= _held_up(processes)
    started = _started(found, processes)
    shared = (one for node in held if (one := facts.resources.get(node)) is not None)
    # A lock has a holder, who is told of; a semaphore anybody may release.
    found |= {pid for one in shared if one.kind is NodeKind.SEMAPHORE for pid in one.sharers}
    found |= _other_ranks(processes) | workers(facts, processes) | _origins(facts, processes)
    found |= _asked(facts) | _heard(facts)
    # Libraries of Ray ask for their results again and again: no wait tells of these.
    found |= _nodes_of(process.pid for process in processes)
    starting = _starting(processes)
    found |= starting
    found -= {*discovery.own_pids(), *(process.pid for process in processes)}
    known = started | starting
    telling = (pid for pid in sorted(found)[:_MOST_ASKED] if pid in known or _tells(pid))
    return tuple(islice(telling, _MOST))


def _started(pids: Iterable[int], processes: Collection[Process]) -> set[int]:
    """Those of *pids* that *processes* started, directly or not, and that we may look into: what a
    shell, a compressor or a compiler waits for is told by its system call. Who lost its parent is
    known by the process group, which it keeps."""
    ours = {process.pid for process in processes}
    groups = {relatives.group(pid) for pid in ours} - {None}
    theirs = (
        pid
        for pid in pids
        if not ours.isdisjoint(relatives.ancestors(pid)) or relatives.group(pid) in groups
    )
    return {pid for pid in theirs if access.may_trace(pid)}


def _held_up(processes: Iterable[Process]) -> set[int]:
    """Children, and theirs, that wait for somebody to read what they write: who asks for their end
    again and again waits for them as well, and no system call tells."""
    started: list[int] = []
    for process in processes:
        children = relatives.children(process.pid)[:_MOST]
        started += [*children, *(pid for one in children for pid in relatives.children(one))]
    return {pid for pid in started[:_MOST_ASKED] if relatives.fills_a_pipe(pid)}


def _origins(facts: Facts, processes: Iterable[Process]) -> set[int]:
    """What those were forked from that wait inside a native module: its threads tell which of them
    did not come along."""
    inside = {
        wait.waiter.pid
        for wait in facts.waits
        if (resource := facts.resources.get(wait.target)) is not None and resource.module
    }
    waiting = (process.around for process in processes if process.pid in inside)
    return {one.forked_from for one in waiting if one is not None and one.forked_from is not None}


def _asked(facts: Facts) -> set[int]:
    """Those who owe an answer over a connection that a thread waits for, with a timeout or not, or
    that it or its event loop watches; and those who listen where it connects to."""
    waits = {wait.target for wait in facts.waits if wait.target.kind is NodeKind.SOCKET}
    connects = {wait.target for wait in facts.waits if wait.operation == "connect"}
    due = {
        node
        for node in waits
        if node in connects
        or ((known := facts.resources.get(node)) is not None and _is_due(known.traffic))
    }
    asked = [one.peers for one in facts.watched if _is_due(one.traffic)]
    watched = {pid for peers in asked[:_MOST_ASKED] for pid in peers}
    return watched | {hold.holder.pid for hold in facts.holds if hold.resource in due}


def _heard(facts: Facts) -> set[int]:
    """The only other process that an event loop hears, of which a task waits for data: over a Unix
    socket the kernel does not tell whether an answer is due."""
    waiting = {
        (task.pid, task.loop_tid)
        for task in facts.tasks
        if task.state is TaskState.WAITING and task.awaits_data
    }
    others = [
        set(one.ends) - {one.thread.pid}
        for one in facts.inward
        if (one.thread.pid, one.thread.tid) in waiting
    ]
    return {pid for ends in others[:_MOST_ASKED] if len(ends) == 1 for pid in ends}


def _is_due(traffic: Traffic | None) -> bool:
    """Whether something was sent, a second or more ago; or nothing has come yet from one who was
    called. What has come since may be a part of the answer."""
    if traffic is None or traffic.accepted:
        return False
    return traffic.received_s is None if traffic.sent_s is None else traffic.sent_s >= _SILENT_S


def _nodes_of(pids: Iterable[int]) -> set[int]:
    """The nodes of Ray that some of *pids* have started."""
    started = (child for pid in set(pids) for child in relatives.children(pid)[:_MOST])
    return {pid for pid in started if _is_node(pid)}


def _starting(processes: Iterable[Process]) -> set[int]:
    """What nodes of Ray have started that runs no Python: a script that goes before a worker."""
    nodes = (process.pid for process in processes if _is_node(process.pid))
    started = [child for pid in nodes for child in relatives.children(pid)[:_MOST]]
    return {pid for pid in started[:_MOST] if not is_python(pid) and access.may_trace(pid)}


def _tells(pid: int) -> bool:
    """Whether it is a program of which more can be read than its system calls, or one that tells
    by its state why it does not answer; not who gathers."""
    if _is_node(pid) or (is_python(pid) and not discovery.is_worker(pid)):
        return True
    return relatives.is_held_up(pid) and access.may_trace(pid)


def _is_node(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return ray_node.is_one(PROC / str(pid))
    return False


def is_python(pid: int) -> bool:
    """Whether an interpreter runs in the process; not if the kernel does not answer in time."""
    if heartbeat.is_shunned(pid):
        return False
    with heartbeat.at(pid, heartbeat.brief(_PATIENCE_S)):
        return discovery.is_python(pid)


def _other_ranks(processes: Iterable[Process]) -> set[int]:
    """The siblings of processes that have a process group of torch.distributed: by design each of
    them waits for all others. Those of who has started ranks are none: it may hold their store."""
    found: set[int] = set()
    for process in processes:
        takes_part = any((one.comm or "").startswith(_RANK_THREADS) for one in process.threads)
        if takes_part and not _starts_ranks(process):
            with contextlib.suppress(OSError):
                found |= set(context.child_pids(PROC / str(process.ppid)))
    return found


def _starts_ranks(process: Process) -> bool:
    """Whether a child has a place of its own in a job, as those of torchrun have. What a rank has
    started has the place of the rank."""
    if any(thread.comm == _AGENT for thread in process.threads):
        return True
    for child in relatives.children(process.pid)[:_MOST]:
        with contextlib.suppress(OSError):
            if job.place_of(PROC / str(child)) not in (None, process.job):
                return True
    return False
