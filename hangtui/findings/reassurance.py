"""Findings that say that something is as it should be, and when they must not be told.

A rule declares them as ``REASSURES``. Beside an error of the same process they would contradict it
for whoever reads only the first lines; that some threads still run is then told with the error.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Protocol

from hangtui.model import Capture, Finding, NodeId, Severity


class Reassures(StrEnum):
    """Of what a finding says that it gets on."""

    THREADS = "some threads get on"
    """It is hidden beside an error of the same process."""
    PROCESS = "nothing is wrong with the process as a whole"
    """It is hidden beside an error or a warning of the same process."""
    NO_MORE = "nothing more is known to be wrong with the process as a whole"
    """As PROCESS. That the processes which it has started are well is then hidden in turn: what it
    waits for may be theirs to bring."""
    STILL_RUNS = "the process is not hung as a whole"
    """As PROCESS, but the first line of its evidence is told with what is worse."""


class _Rule(Protocol):
    @property
    def ID(self) -> str: ...  # noqa: N802


def reassuring(rules: Sequence[_Rule]) -> dict[str, Reassures]:
    """The ids of findings of *rules* that reassure, and of what."""
    found: dict[str, Reassures] = {}
    for rule in rules:
        found |= getattr(rule, "REASSURES", {})
    return found


def without_false_comfort(
    findings: Sequence[Finding], ids: Mapping[str, Reassures], parents: Mapping[int, int]
) -> list[Finding]:
    """*findings*, worst first, without those that reassure beside something worse.

    *parents*: of each process. Who starts workers rests, or looks after them, while these hang.
    """
    worst: dict[int, int] = {}
    of_workers: dict[int, int] = {}
    for index, finding in enumerate(findings):
        if finding.id not in ids and finding.severity is not Severity.NOTE:
            for pid in {thread.pid for thread in (*finding.threads, *finding.victims)}:
                worst.setdefault(pid, index)
                for ancestor in ancestors(pid, parents):
                    of_workers.setdefault(ancestor, index)
    findings = _without_comfort_below(findings, ids, parents)
    told = list(findings)
    hidden = set()
    for index, finding in enumerate(findings):
        level = ids.get(finding.id)
        if level is None or finding.severity is not Severity.NOTE:
            continue
        pids = {one.pid for one in finding.threads}
        places = [worst[pid] for pid in pids if pid in worst]
        # Where its own tasks stand is told beside what is wrong with those whom it has started.
        if level is not Reassures.THREADS and not finding.tasks:
            places += [of_workers[pid] for pid in pids if pid in of_workers]
        errors = [place for place in places if findings[place].severity is Severity.ERROR]
        beside = errors if level is Reassures.THREADS else places
        if not beside:
            continue
        hidden.add(index)
        if level is Reassures.STILL_RUNS and finding.evidence:
            place = min(beside)
            line = f"meanwhile {finding.evidence[0]}"
            told[place] = replace(told[place], evidence=(*told[place].evidence, line))
    return [finding for index, finding in enumerate(told) if index not in hidden]


def _without_comfort_below(
    findings: Sequence[Finding], ids: Mapping[str, Reassures], parents: Mapping[int, int]
) -> list[Finding]:
    """*findings* without those that all is well with what was started by a process which stands."""
    stands = {
        pid for one in findings if ids.get(one.id) is Reassures.NO_MORE for pid in one.processes
    }

    def below(finding: Finding) -> bool:
        pids = (one.pid for one in finding.threads)
        comforts = ids.get(finding.id) is Reassures.PROCESS and finding.severity is Severity.NOTE
        return comforts and any(stands.intersection(ancestors(pid, parents)) for pid in pids)

    return [finding for finding in findings if not below(finding)]


def on_beside(
    findings: Sequence[Finding], ids: Mapping[str, Reassures], capture: Capture
) -> frozenset[NodeId]:
    """The processes of which a note says that they are not hung, and which are neither the first
    that was asked for nor one that this has started: a server that it asks, say."""
    parents = {process.pid: process.ppid for process in capture.processes}
    asked = next((process.pid for process in capture.processes), 0)
    return frozenset(
        finding.subject
        for finding in findings
        if finding.subject is not None
        and ids.get(finding.id) is Reassures.STILL_RUNS
        and finding.severity is Severity.NOTE
        and not any(pid == asked or asked in ancestors(pid, parents) for pid in finding.processes)
    )


def ancestors(pid: int, parents: Mapping[int, int]) -> Iterator[int]:
    """Who started a process, and who started that one, as far as they are known."""
    seen = {pid}
    while (pid := parents.get(pid, 0)) and pid not in seen:
        seen.add(pid)
        yield pid
