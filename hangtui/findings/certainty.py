"""How sure a finding is: as sure as the weakest of the links that it follows from, never more."""

from collections.abc import Iterator
from dataclasses import replace

from hangtui.analysis.edges import Edge
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.grounds import CRASH, Ground
from hangtui.model import Certainty, Finding, Severity, thread_id, weakest


def as_sure_as(*links: Certainty | Edge) -> Certainty:
    """The certainty of what follows from all of *links*: facts by themselves, waits and holds."""
    return weakest(link.evidence.certainty if isinstance(link, Edge) else link for link in links)


def honest(finding: Finding, ground: Ground, graph: WaitGraph) -> Finding:
    """*finding*, no worse than what it rests on can support, and no surer than what the graph says
    between the threads and resources that it names.

    What is then only inferred is no error, but where nobody is left either way: that a program
    crashed is a fact, whatever the reason.
    """
    certainty = as_sure_as(finding.certainty, *_links(finding, graph))
    severity = max(finding.severity, ground.worst, key=lambda one: one.rank)
    shown = certainty.supports_claim or finding.never_ends or ground is CRASH
    if severity is Severity.ERROR and not shown:
        severity = Severity.WARNING
    if (certainty, severity) == (finding.certainty, finding.severity):
        return finding
    return replace(finding, certainty=certainty, severity=severity)


def _links(finding: Finding, graph: WaitGraph) -> Iterator[Edge]:
    """The waits and holds both of whose ends a finding names."""
    threads = {thread_id(one.pid, one.tid) for one in finding.threads}
    resources = set(finding.resources)
    ends = resources | threads
    for thread in threads:
        yield from (e for e in graph.waits_of(thread) if e.target in ends)
        yield from (e for e in graph.held_by(thread) if e.source in resources)
