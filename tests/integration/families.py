"""Targets that have children, and what is to be said of all of them together."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

from hangtui.analysis.waitgraph import Edge, build
from hangtui.backends.capture.collector import collect
from hangtui.backends.process.processes import children
from hangtui.findings import run
from hangtui.model import NodeKind
from hangtui.provider import CaptureRequest, NativeMode
from tests.integration.capturing import Diagnosis
from tests.integration.targets import Target, running

_LIMIT_S = 60
THREAD, PROCESS, PIPE, SOCKET, LOCK, MUTEX = (
    NodeKind.THREAD,
    NodeKind.PROCESS,
    NodeKind.PIPE,
    NodeKind.SOCKET,
    NodeKind.FILE_LOCK,
    NodeKind.MUTEX,
)


@contextlib.contextmanager
def family(program: str, python: Path, *arguments: str, settled: bool = True) -> Iterator[Target]:
    """A target whose children, too, have come to rest."""
    with running(program, python, asleep=False, arguments=arguments) as target:
        if settled:
            settle(target.pid)
        yield target


def settle(pid: int) -> None:
    """Until no thread of this process or its children ran between two looks, several times."""
    deadline = time.monotonic() + _LIMIT_S
    before, in_a_row = _runs(pid), 0
    while in_a_row < 3:
        assert time.monotonic() < deadline, "the processes do not settle"
        time.sleep(0.01)
        now = _runs(pid)
        in_a_row = in_a_row + 1 if now == before else 0
        before = now


def _runs(parent: int) -> dict[str, str]:
    """What changes when a thread runs."""
    found = {}
    for pid in (parent, *children(parent)):
        for task in Path(f"/proc/{pid}/task").iterdir():
            found[str(task)] = (task / "schedstat").read_text()
    return found


def diagnose(pid: int, *, alone: bool = False, follow: bool = False) -> Diagnosis:
    children = not (alone or follow)
    request = CaptureRequest((pid,), children=children, native=NativeMode.NONE, follow=follow)
    *_, capture = collect(request)
    graph = build(capture)
    return Diagnosis(capture, graph, run(capture, graph))


def main_wait(found: Diagnosis, pid: int) -> Edge:
    """What the main thread of a process waits for."""
    wait = found.graph.wait_of(f"thread:{pid}:{pid}")
    assert wait is not None
    return wait


def label(found: Diagnosis, node_id: str) -> str:
    node = found.graph.node(node_id)
    assert node is not None
    return node.label


def ring(found: Diagnosis) -> list[NodeKind]:
    """The kinds of the nodes of the only cycle, in the order of waiting."""
    nodes = [found.graph.node(node) for node in found.cycle().nodes]
    return [node.kind for node in nodes if node]


def pids(found: Diagnosis) -> set[int]:
    """The processes whose threads are in the only cycle."""
    nodes = [found.graph.node(node) for node in found.cycle().nodes]
    return {node.pid for node in nodes if node and node.kind is NodeKind.THREAD}


def words(found: Diagnosis, identifier: str = "deadlock") -> str:
    finding = found.finding(identifier)
    return " ".join((finding.title, finding.sentence, *finding.evidence, *finding.advice))
