"""The nodes of a wait-for graph: who waits, and for what."""

from collections.abc import Iterable, Iterator

from hangtui.analysis.edges import Edge, Node
from hangtui.model import Capture, NodeId, NodeKind, Resource


def nodes_of(capture: Capture, edges: Iterable[Edge]) -> Iterator[Node]:
    """A node for each thread, task and resource of *capture*, and for what *edges* lead to beside
    these, each once."""
    seen: set[NodeId] = set()
    for thread in capture.threads():
        seen.add(thread.id)
        label = f"{thread.name} (TID {thread.tid})"
        yield Node(thread.id, NodeKind.THREAD, label, thread.pid, thread.tid, None, known=True)
    for task in capture.tasks:
        seen.add(task.id)
        name = f"{task.kind.value} {task.function}" if task.function else None
        yield Node(
            task.id, task.kind, task.label, task.pid, None, task.address, known=True, name=name
        )
    for resource in capture.resources:
        seen.add(resource.id)
        yield Node(
            resource.id,
            resource.kind,
            resource.label,
            resource.pid,
            None,
            resource.address,
            known=True,
            name=resource.name,
            detail=_detail(resource),
        )
    for edge in edges:
        for node_id in (edge.source, edge.target):
            if node_id not in seen:
                seen.add(node_id)
                yield _referred(capture, node_id)


def _detail(resource: Resource) -> str | None:
    if resource.type_name is not None:
        return resource.type_name if resource.name is not None else None
    module = resource.module
    return resource.detail or (f"in {module.rpartition('/')[2]}" if module else None)


def _referred(capture: Capture, node_id: NodeId) -> Node:
    """The node for an id that names no thread and no resource of the capture."""
    pid = node_id.pid
    if node_id.kind is NodeKind.PROCESS:
        process = capture.process(pid)
        label = process.title if process else f"process {pid}"
        return Node(node_id, NodeKind.PROCESS, label, pid, None, None, known=process is not None)
    if node_id.tid is not None:
        label = f"TID {node_id.tid}, not among the listed threads of process {pid}"
        return Node(node_id, NodeKind.THREAD, label, pid, node_id.tid, None, known=False)
    return Node(node_id, node_id.kind, node_id, pid, None, None, known=False)
