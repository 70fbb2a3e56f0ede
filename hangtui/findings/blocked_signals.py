"""Findings of a process to which a signal was sent that it blocks: what was to end it does not."""

from dataclasses import replace

from hangtui.findings.english import listed
from hangtui.findings.words import Words
from hangtui.model import Finding, NodeKind, Pid, Reason, thread_id

_ENDS = frozenset({"SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGALRM", "SIGUSR1", "SIGUSR2"})
"""Signals that somebody sends to end a process, or to have it do something."""


def told_blocked(finding: Finding, words: Words) -> Finding:
    """*finding*, with the signals that wait in a process which it is about, or which one of its
    threads waits for; as it is if there are none."""
    if finding.reason is Reason.REASSURANCE:
        return finding
    found = {pid: names for pid in _pids(finding, words) if (names := _waiting(pid, words))}
    if not found:
        return finding
    told, read = "", list[str]()
    for pid, names in found.items():
        were, wait, them = ("was", "waits", "it") if len(names) == 1 else ("were", "wait", "them")
        who = words.process_name(pid)
        told += f" {listed(names)} {were} sent to {who}, and {wait} there: that blocks {them}."
        read.append(f"process {pid}: {listed(names)} is pending and blocked (/proc/{pid}/status)")
    return replace(finding, sentence=finding.sentence + told, evidence=(*finding.evidence, *read))


def _pids(finding: Finding, words: Words) -> list[Pid]:
    own = [one.pid for one in finding.threads]
    nodes = (thread_id(one.pid, one.tid) for one in finding.threads)
    waits = (edge for node in nodes for edge in words.graph.waits_of(node))
    awaited = [edge.target.pid for edge in waits if edge.target.kind is NodeKind.PROCESS]
    return list(dict.fromkeys((*own, *finding.processes, *awaited)))


def _waiting(pid: Pid, words: Words) -> list[str]:
    process = words.capture.process(pid)
    names = (process.around.blocked_signals if process and process.around else None) or ()
    return [one for one in names if one in _ENDS]
