"""Outcomes of tests for the table in docs/waits.md.

With HANGTUI_WAIT_RESULTS they are appended to that file, one JSON object per line;
script/wait-table makes the table of them.
"""

import json
import os
from pathlib import Path

from hangtui.analysis.waitgraph import Relation
from hangtui.model import Certainty, Finding, NodeKind
from tests.integration.capturing import Diagnosis

_BEHIND_ALL = 1000
"""The place in the table of what comes in no order of its own."""


def record(
    scenario: str,
    kind: NodeKind,
    version: str,
    certainty: Certainty | None,
    order: int = _BEHIND_ALL,
) -> None:
    """How surely the holder of what is awaited was known; None: it cannot be told."""
    path = os.environ.get("HANGTUI_WAIT_RESULTS")
    if path:
        known = "not possible" if certainty is None else certainty.value
        row = {"order": order, "scenario": scenario, "kind": kind.value}
        row |= {"version": version, "known": known}
        with Path(path).open("a") as stream:
            stream.write(json.dumps(row) + "\n")


def record_scheduler(scheduler: str, scenario: str, version: str, found: Finding) -> None:
    """How surely a hang of a scheduler's was told, and how severe that is."""
    path = os.environ.get("HANGTUI_WAIT_RESULTS")
    if path:
        known = f"{found.severity.value}, {found.certainty.value}"
        row = {"scheduler": scheduler, "scenario": scenario, "version": version, "known": known}
        with Path(path).open("a") as stream:
            stream.write(json.dumps(row) + "\n")


def record_cycle(scenario: str, version: str, found: Diagnosis) -> None:
    """The same for everything that the members of the only cycle wait for."""
    weakest: dict[NodeKind, Certainty] = {}
    for edge in found.cycle().edges:
        held = edge.relation is Relation.HELD_BY
        node = found.graph.node(edge.source if held else edge.target)
        assert node is not None
        if held or not node.kind.is_resource:  # else the holder is told by another edge
            one = edge.evidence.certainty
            known = weakest.get(node.kind, one)
            weakest[node.kind] = max(known, one, key=lambda certainty: certainty.rank)
    for kind, certainty in weakest.items():
        record(scenario, kind, version, certainty)
