"""What follows from a capture, derived once: screens, reports, `check` and files share it."""

from collections.abc import Mapping

from hangtui.analysis.cycles import Cycle
from hangtui.analysis.states import ThreadState, state_of
from hangtui.analysis.waitgraph import WaitGraph, build
from hangtui.dataclass import dataclass
from hangtui.findings import RULES
from hangtui.findings.engine import judge
from hangtui.model import Capture, Finding, thread_id


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A capture, and what follows from it."""

    capture: Capture
    graph: WaitGraph
    states: Mapping[str, ThreadState]
    """What each thread does, by its node id."""
    findings: tuple[Finding, ...] = ()
    """Worst first; what another one explains is left out."""
    undecided: tuple[tuple[str, str], ...] = ()
    """Ids of rules that could not judge, and why."""

    @property
    def cycles(self) -> tuple[Cycle, ...]:
        """Who waits for one another in a ring."""
        return self.graph.cycles


@dataclass(frozen=True, slots=True)
class Choice:
    """Which findings count."""

    allow: tuple[str, ...] = ()
    """Ids of those that are left out, and with them what they explain."""
    only: tuple[str, ...] = ()
    """Ids of those that are kept; empty: all."""


EVERYTHING = Choice()


def diagnose(capture: Capture, choice: Choice = EVERYTHING) -> Diagnosis:
    """Derive the graph, the states and the findings of *capture*."""
    graph = build(capture)
    states: dict[str, ThreadState] = {
        thread.id: state_of(thread, graph) for thread in capture.threads()
    }
    if (crash := capture.crash) is not None and crash.tid is not None:
        states[thread_id(crash.pid, crash.tid)] = ThreadState.CRASH
    verdict = judge(RULES, capture, graph, choice.allow, choice.only)
    return Diagnosis(capture, graph, states, verdict.findings, verdict.undecided)
