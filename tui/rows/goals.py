"""What somebody waits for, and who could end that, in a few words."""

from hangtui.analysis.waitgraph import Edge
from hangtui.analysis.wakers import meant
from hangtui.findings.gpu_calls import driver_call
from hangtui.model import GilState, NodeId, NodeKind, NoHolder, Task, Thread, Wait, clean
from hangtui.tui.rows import labels
from hangtui.tui.rows.columns import Cell
from hangtui.tui.session import CaptureView
from hangtui.tui.units import Outsider, Unit

_BY_METHOD = {
    (NodeKind.QUEUE, "get"): "an item in {}",
    (NodeKind.QUEUE, "put"): "room in {}",
    (NodeKind.QUEUE, "join"): "task_done() of {}",
    (NodeKind.EVENT, "wait"): "{} to be set",
    (NodeKind.CONDITION, "wait"): "{} to be notified",
    (NodeKind.BARRIER, "wait"): "others at {}",
    (NodeKind.FUTURE, "result"): "result {}",
}
_CHANNELS = (NodeKind.PIPE, NodeKind.SOCKET)
_BY_OPERATION = {
    "read": "data from {}",
    "receive": "data from {}",
    "write": "room in {}",
    "send": "room in {}",
    "accept": "a client of {}",
    "message": "a message to {}",
    "connect": "{} to answer",
    "open": "the other end of {}",
}
UNKNOWN = "not known"
ENDED = "has ended"
"""Who had it was seen to have ended with it."""
NOBODY_SEEN = "nobody seen"
"""All threads and tasks of the process were looked at, and none of them is on its way to it."""


def goal(view: CaptureView, edge: Edge) -> str:
    """What a wait is for, in the words of the library: ``an item in jobs``."""
    name = labels.wait_label(view, edge)
    kind, wait = edge.target.kind, view.wait_facts.get((edge.source, edge.target))
    if kind is NodeKind.THREAD and edge.source in view.tasks:
        return f"{name}, its thread"
    if kind in (NodeKind.THREAD, NodeKind.PROCESS):
        starts = wait is not None and wait.operation == "start"
        return f"{'start' if starts else 'end'} of {name}"
    resource = view.resources.get(edge.target)
    if resource is not None and resource.lends:
        return f"{clean(resource.lends)} of {name}"
    if kind is NodeKind.GIL or wait is None:
        return name
    if kind in _CHANNELS:
        return _BY_OPERATION.get(wait.operation or "", "{}").format(name)
    if kind is NodeKind.RWLOCK and wait.operation:
        return f"{name} ({clean(wait.operation)})"
    method = wait.method or wait.operation or ""
    return _BY_METHOD.get((kind, method), "{}").format(name)


def goal_of(view: CaptureView, unit: Unit) -> str:
    """What somebody waits for; where no wait was found, the call that it sleeps in."""
    if isinstance(unit, Outsider):
        return clean(unit.goal)
    if unit.id in view.idle_loops:
        return f"its {labels.plural(view.idle_loops[unit.id], view.loop_units)}"
    if (edge := view.graph.wait_of(unit.id)) is not None:
        return goal(view, edge)
    if isinstance(unit, Task):
        return clean(unit.awaits or "")
    if driver_call(unit) is not None:
        return "work of the GPU"
    call = unit.syscall
    if call is None or not unit.asleep:
        return ""
    return "the clock" if call.sleeps else f"the end of {clean(call.name)}()"


def goal_cell(view: CaptureView, unit: Unit) -> Cell:
    """What somebody waits for, and that all others may be waiting for it meanwhile."""
    has_gil = isinstance(unit, Thread) and unit.gil is GilState.HOLDS
    goal = goal_of(view, unit)
    if not has_gil:
        return Cell(goal)
    # Somebody else ends a wait that is known; of a call, that it keeps the GIL is the news.
    known = view.graph.wait_of(unit.id) is not None
    return (
        Cell(goal, "(has the GIL)") if known else Cell("has the GIL", f"in {goal}" if goal else "")
    )


def ender_of(view: CaptureView, unit: Unit) -> str:
    """Who could end what somebody waits for."""
    if isinstance(unit, Outsider):
        return clean(unit.who)
    if unit.id in view.idle_loops:
        return ""
    wait = view.graph.wait_of(unit.id)
    return enders(view, wait) if wait else ""


def enders(view: CaptureView, edge: Edge) -> str:
    """Who could end a wait: who holds it, is waited for, is on the way to the call that ends it or
    has the other end; a ``?`` where that is inferred."""
    graph, target = view.graph, edge.target
    if not target.kind.is_resource:
        return _short(view, target, edge.source.pid)
    if holds := graph.holders_of(target):
        first = holds[0]
        doubt = "" if first.evidence.certainty.supports_claim else "?"
        more = f" +{len(holds) - 1}" if len(holds) > 1 else ""
        return f"{_short(view, first.target, edge.source.pid)}{doubt}{more}"
    resource = view.resources.get(target)
    if resource is not None and (resource.orphaned or resource.no_holder is NoHolder.TAKER_ENDED):
        return ENDED
    if edge.expires and not graph.wakers_of(target):
        return "its timeout"
    wait = view.wait_facts.get((edge.source, target))
    found = list(dict.fromkeys(one.candidate for one in meant(graph, target, _method(wait))))
    if found:
        more = f" +{len(found) - 1}" if len(found) > 1 else ""
        return f"{_short(view, found[0], edge.source.pid)}?{more}"
    return NOBODY_SEEN if resource is not None and resource.wakers_known else UNKNOWN


def _method(wait: Wait | None) -> str | None:
    return (wait.method or wait.operation) if wait else None


def _short(view: CaptureView, node_id: NodeId, pid: int) -> str:
    """A name, with its process where that is another one than *pid*."""
    if node_id.tid is not None and node_id.pid != pid and node_id in view.threads:
        return f"{clean(view.threads[node_id].name)} of {node_id.pid}"
    if (task := view.tasks.get(node_id)) is not None:
        return labels.unit_name(view, task)
    node = view.graph.node(node_id)
    return labels.shortest_node(view, node) if node else node_id
