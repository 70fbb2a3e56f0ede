"""Diagnoses: one rule per module, each ``check(capture, graph)`` to a list of findings."""

from hangtui.analysis.waitgraph import WaitGraph, build
from hangtui.findings import (
    crash,
    deadlock,
    event_loop_blocked,
    event_loop_stalled,
    gil_held_while_blocked,
    self_deadlock,
)
from hangtui.model import Capture, Certainty, Finding, Severity, clean

__all__ = ["RULES", "run"]

RULES = (
    crash,
    deadlock,
    self_deadlock,
    gil_held_while_blocked,
    event_loop_blocked,
    event_loop_stalled,
)


def run(capture: Capture, graph: WaitGraph | None = None) -> tuple[Finding, ...]:
    """What all rules find in *capture*, worst first."""
    graph = build(capture) if graph is None else graph
    found: list[Finding] = []
    for rule in RULES:
        try:
            found += rule.check(capture, graph)
        except Exception as error:  # noqa: BLE001  a rule that fails costs itself alone
            found.append(_failed(rule.ID, error))
    return tuple(sorted(found, key=lambda f: (f.severity.rank, f.certainty.rank)))


def _failed(rule: str, error: Exception) -> Finding:
    """That a rule could not judge: without it, its silence would read as good news."""
    return Finding(
        id="rule-failed",
        severity=Severity.NOTE,
        certainty=Certainty.CERTAIN,
        title=f"The rule {rule} failed, so it found nothing",
        sentence=f"hangtui could not look for {rule}: {type(error).__name__}: {clean(str(error))}.",
        threads=(),
        advice=("Report it with the capture (hangtui record PID -o x.hang).",),
    )
