"""Families of processes in which somebody waits for an answer: a request for a server's engine, or
that for its workers. None of these is idle meanwhile, wherever its own threads rest."""

from collections.abc import Iterator

from hangtui.analysis.latest import of_latest
from hangtui.findings.protocols import awaits_answer, requested, servers_of
from hangtui.findings.words import Actor
from hangtui.model import Capture, Pid


@of_latest
def in_flight(capture: Capture) -> frozenset[Pid]:
    """The PIDs of all that are captured of such families."""
    if not capture.processes[1:]:
        return frozenset()
    parents = {process.pid: process.ppid for process in capture.processes}
    roots = {_root(pid, parents) for pid in _waiting(capture)}
    return frozenset(pid for pid in parents if _root(pid, parents) in roots)


def _waiting(capture: Capture) -> Iterator[Pid]:
    """Processes in which somebody waits so."""
    for process in capture.processes:
        if any(map(awaits_answer, process.threads)):
            yield process.pid
        elif kinds := servers_of(process):
            server = capture.process(process.ppid)
            actors: list[Actor] = [task for task in capture.tasks if task.pid == process.ppid]
            actors += server.threads if server else ()
            if any(requested(one, kinds) for one in actors):
                yield process.pid


def _root(pid: Pid, parents: dict[Pid, Pid]) -> Pid:
    """The outermost captured one that a process descends from."""
    seen = {pid}
    while (above := parents[pid]) in parents and above not in seen:
        pid = above
        seen.add(pid)
    return pid
