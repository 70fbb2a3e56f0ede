"""Takes captures of targets the way the commands do."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from hangtui import diagnosis
from hangtui.analysis.waitgraph import Cycle, WaitGraph, build
from hangtui.backends.capture.collector import collect
from hangtui.capture_file import load
from hangtui.findings import run
from hangtui.model import Capture, Certainty, Finding, GilState, NodeKind, Thread
from hangtui.provider import CaptureRequest, NativeMode
from hangtui.report.json_report import to_json
from tests.integration.targets import Target, running
from tests.waiting import until

_TRIES = 4
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A capture with what follows from it."""

    capture: Capture
    graph: WaitGraph
    findings: tuple[Finding, ...]

    def thread(self, name: str) -> Thread:
        """The only thread of this name."""
        (thread,) = (t for t in self.capture.threads() if t.name == name)
        return thread

    def cycle(self) -> Cycle:
        """The only cycle."""
        (cycle,) = self.graph.cycles
        return cycle

    def members(self, kind: NodeKind) -> set[str]:
        """Labels of the cycle's nodes of one kind."""
        nodes = (self.graph.node(node) for node in self.cycle().nodes)
        return {node.label for node in nodes if node and node.kind is kind}

    def certainties(self) -> set[Certainty]:
        """How the cycle's edges are known."""
        return {edge.evidence.certainty for edge in self.cycle().edges}

    def finding(self, identifier: str) -> Finding:
        """The only finding with this id."""
        (finding,) = (f for f in self.findings if f.id == identifier)
        return finding


def once_seen(look: Callable[[], _T], holds: Callable[[_T], bool]) -> _T:
    """The first answer of *look* that holds, or the last one: of a program that hangs for good.

    Who does nothing but sleep and look is awake for a moment, in which one of several looks may
    meet it on a busy machine. What is said of a healthy program has to hold each time.
    """
    for _ in range(_TRIES - 1):
        if holds(found := look()):
            return found
    return look()


def diagnose(
    pid: int, native: NativeMode = NativeMode.AUTO, *, children: bool = False
) -> Diagnosis:
    """Capture one process, or it with its *children*, and say what is wrong."""
    *_, capture = collect(CaptureRequest(pids=(pid,), children=children, native=native))
    graph = build(capture)
    return Diagnosis(capture, graph, run(capture, graph))


def diagnose_at_rest(pid: int, *, children: bool = False) -> Diagnosis:
    """The same once all of it is read while it stands still: a thread that ends may linger.

    Who waits for the GIL looks for it every 5 ms.
    """

    def whole() -> Diagnosis | None:
        found = diagnose(pid, children=children)
        threads = found.capture.threads()
        rests = all(thread.still or thread.gil is GilState.WAITS for thread in threads)
        in_part = any(process.incomplete for process in found.capture.processes)
        return found if rests and not in_part else None

    return until(whole)


@dataclass(frozen=True, slots=True)
class Captured:
    """Programs that hang for good, each captured when it is first asked for."""

    kept: dict[object, tuple[Diagnosis, Target]]

    def __call__(
        self, program: str, python: Path, *arguments: str, children: bool = False
    ) -> tuple[Diagnosis, Target]:
        """What is known of a program under one CPython, and what it was."""
        key = (program, python, arguments)
        if key not in self.kept:
            with running(program, python, arguments=arguments) as target:
                self.kept[key] = diagnose_at_rest(target.pid, children=children), target
        return self.kept[key]


def dumped(path: Path) -> Any:
    """What ``hangtui dump --json`` tells of a capture in a file."""
    return json.loads(to_json(diagnosis.diagnose(load(path))))
