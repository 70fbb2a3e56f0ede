"""Which facts a rule rests on, so that none is judged before these are complete.

Two kinds of captures are partial: those that still grow, and those with a process of which a bound
of its reading cut something off. What is not there has to be read before a rule may say that it is
not there, or that somebody goes on.
"""

from collections.abc import Iterable
from functools import cached_property

from hangtui.analysis.coverage import gaps
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.dataclass import dataclass
from hangtui.model import Capture, Finding, Part, Process


@dataclass(frozen=True, slots=True)
class Needs:
    """What a rule needs; one that does not say so needs all."""

    parts: frozenset[str] = frozenset(Part)
    """Parts of the capture that must have arrived."""
    whole: bool = True
    """Every process that a finding concerns must have been read as a whole. False: it tells only
    what certain records and the kernel say of the threads that it names."""

    def missing(self, capture: Capture) -> tuple[str, ...]:
        """What has to arrive before the rule can judge; unknown parts count as needed."""
        unneeded = frozenset(Part) - self.parts
        return tuple(part for part in capture.pending if part not in unneeded)

    def partial(
        self, finding: Finding, doubts: "Doubts", graph: WaitGraph, *, calms: bool = False
    ) -> tuple[Process, ...]:
        """The processes that a finding concerns and that were not read as a whole.

        *calms*: it reassures, and concerns those as well that were not looked at well enough for
        an all-clear.
        """
        partial = doubts.dark if calms else doubts.incomplete
        if not (self.whole or calms) or not partial:
            return ()
        concerned = _concerned(finding, doubts.capture, graph)
        return tuple(process for process in partial if process.pid in concerned)


class Doubts:
    """The processes of a capture that were not read well enough, for all of its findings."""

    def __init__(self, capture: Capture) -> None:
        self.capture = capture

    @cached_property
    def incomplete(self) -> tuple[Process, ...]:
        """Not read as a whole."""
        return tuple(process for process in self.capture.processes if process.incomplete)

    @cached_property
    def dark(self) -> tuple[Process, ...]:
        """Those, and the ones that were not looked at well enough for an all-clear."""
        capture = self.capture
        return tuple(p for p in capture.processes if p.incomplete or gaps(capture, p))


ALL = Needs()


def _concerned(finding: Finding, capture: Capture, graph: WaitGraph) -> set[int]:
    """The processes of its threads and resources, who holds these, and their families: a parent's
    wait is often for what its children do."""
    own = {thread.pid for thread in (*finding.threads, *finding.victims)}
    own |= set(_pids_of(finding.resources, graph))
    parents = {process.ppid for process in capture.processes if process.pid in own}
    family = {p.pid for p in capture.processes if p.ppid in own or p.pid in parents}
    return own | family


def _pids_of(resources: Iterable[str], graph: WaitGraph) -> Iterable[int]:
    for resource in resources:
        holders = (edge.target for edge in graph.holders_of(resource))
        for node_id in (resource, *holders):
            node = graph.node(node_id)
            if node is not None:
                yield node.pid
