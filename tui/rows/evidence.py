"""What is known of one node of the wait-for graph, in prose."""

from collections.abc import Iterable, Iterator

from rich.text import Text

from hangtui.analysis.waitgraph import Edge, Node
from hangtui.model import Evidence, NodeKind, PythonFrame, Resource, Task, Thread, clean
from hangtui.tui.cells import cut, wrap
from hangtui.tui.rows import labels
from hangtui.tui.session import CaptureView
from hangtui.tui.theme import CERTAINTY_STYLES, CURRENT, HEADING, STATE_STYLES

OWNERLESS = (NodeKind.CONDITION, NodeKind.SEMAPHORE, NodeKind.BARRIER)
"""Kinds that any thread may release, so that nobody can be said to hold them."""
STACK_LINES = 12
MOST_WAITERS = 15


def node_lines(view: CaptureView, node_id: str, width: int, *, stack: bool = True) -> list[Text]:
    """Waits, holders and holds of a node with their evidence; a thread's Python stack below."""
    node = view.graph.node(node_id)
    if node is None:
        return []
    thread = view.threads.get(node_id)
    task = next((task for task in view.capture.tasks if task.id == node_id), None)
    if thread is not None:
        lines, frames = list(_thread_lines(view, thread, width)), thread.python_stack
    elif task is not None:
        lines, frames = list(_task_lines(view, task, width)), task.python_stack
    else:
        lines, frames = list(_resource_lines(view, node, width)), None
    if stack and frames:
        lines += _stack_lines(frames, width)
    return lines


def wait_line(view: CaptureView, unit: Thread | Task) -> str:
    """One line: what somebody waits for and who has it."""
    wait = view.graph.wait_of(unit.id)
    if unit.id in view.idle_loops:
        count = labels.plural(view.idle_loops[unit.id], view.loop_units)
        return f"runs {count}, and waits for what they wait for"
    if wait is None:
        known = view.capture.complete
        return "waits for nothing that is known" if known else "what it waits for is being read"
    text = f"waits for {labels.wait_label(view, wait)}"
    if view.graph.holders_of(wait.target):
        text += f", held by {labels.holders_label(view, wait)}"
    return text + (", gives up by itself" if wait.expires else "")


def _thread_lines(view: CaptureView, thread: Thread, width: int) -> Iterator[Text]:
    state = view.states[thread.id]
    yield Text.assemble(
        (labels.state_label(state), STATE_STYLES[state]),
        cut(
            f" {clean(thread.name)} · TID {thread.tid}", width - len(labels.state_label(state)) - 2
        ),
    )
    if since := labels.since_words(view, thread):
        yield from _prose(since, width)
    elif thread.still and thread.still_ms:
        yield from _prose(f"stood still while it was watched for {thread.still_ms:.0f} ms", width)
    elif thread.still is False:
        yield from _prose("ran while it was watched", width)
    yield from _edges(view, thread.id, width)


def _task_lines(view: CaptureView, task: Task, width: int) -> Iterator[Text]:
    """A task or a greenlet."""
    state = labels.unit_state(view, task)
    name = cut(f" {clean(task.label)}", width - len(state))
    yield Text.assemble((state, STATE_STYLES[view.state_of(task)]), (name, HEADING))
    if task.coroutine and task.coroutine != task.function:
        yield from _prose(f"runs {task.coroutine}", width)
    if task.loop_tid:
        yield from _prose(f"in the thread with TID {task.loop_tid}", width)
    if task.awaits:
        yield from _prose(f"awaits {task.awaits}", width)
    yield from _edges(view, task.id, width)


def _edges(view: CaptureView, node_id: str, width: int) -> Iterator[Text]:
    """What a thread or task waits for and holds."""
    graph = view.graph
    if (wait := graph.wait_of(node_id)) is not None:
        yield from _section("WAITS FOR", view, [(wait, wait.target)], width)
        if wait.expires:
            yield from _prose("  This wait has a timeout: it will give up.", width)
        holds = graph.holders_of(wait.target)
        yield from _section("HELD BY", view, [(hold, hold.target) for hold in holds], width)
    held = graph.held_by(node_id)
    yield from _section("HOLDS", view, [(hold, hold.source) for hold in held], width)


def _resource_lines(view: CaptureView, node: Node, width: int) -> Iterator[Text]:
    graph = view.graph
    for number, line in enumerate(wrap(node.label, width)):
        yield Text(line, HEADING if number == 0 else "")
    address = f" at {node.address:#x}" if node.address else ""
    yield Text(cut(f"{node.kind.value}{address} in process {node.pid}", width), "dim")
    resource = view.capture.resource(node.id)
    if resource is not None:
        yield from _about(resource, width)
    holds = graph.holders_of(node.id)
    yield from _section("HELD BY", view, [(hold, hold.target) for hold in holds], width)
    if not holds and node.kind.is_resource:
        yield Text()
        ownerless = node.kind in OWNERLESS
        text = "Any thread may release it." if ownerless else "Who holds it is not known."
        if node.kind in (NodeKind.PIPE, NodeKind.SOCKET):
            text = "Nobody owns it: whoever has its other end, or gets it, may act."
        yield from _prose(text, width)
    waits = graph.waiters_of(node.id)
    listed = [(wait, wait.source) for wait in waits[:MOST_WAITERS]]
    yield from _section("WAITED FOR BY", view, listed, width)
    if len(waits) > MOST_WAITERS:
        yield Text(f"  … {len(waits) - MOST_WAITERS} more", "dim")


def _about(resource: Resource, width: int) -> Iterator[Text]:
    if resource.module:
        yield from _prose(f"module {clean(resource.module)}", width)
    if resource.note:
        yield from _prose(resource.note, width)


def _section(
    heading: str, view: CaptureView, edges: Iterable[tuple[Edge, str]], width: int
) -> Iterator[Text]:
    """A heading and, for each edge, the node at its other end and the evidence for it."""
    for index, (edge, other) in enumerate(edges):
        if index == 0:
            yield Text()
            yield Text(heading, HEADING)
        node = view.graph.node(other)
        name = clean(node.label) if node else other
        for line in wrap(name, width, "  ", "    "):
            yield Text(line)
        yield from evidence_lines(edge.evidence, width, stable=edge.stable)


def evidence_lines(evidence: Evidence, width: int, *, stable: bool = True) -> Iterator[Text]:
    """Certainty, source, what was read, and where in the program."""
    certainty = evidence.certainty.value
    head = f"    {certainty} · {evidence.source.value}: "
    for number, line in enumerate(wrap(evidence.text, width, head, "      ")):
        text = Text(line)
        if number == 0:
            text.stylize(CERTAINTY_STYLES[evidence.certainty], 4, 4 + len(certainty))
        yield text
    if evidence.where:
        yield from (Text(line) for line in wrap(evidence.where, width, "    at ", "      "))
    if not stable:
        yield from _prose("    It moved while it was read: this may be outdated.", width)


def _stack_lines(frames: tuple[PythonFrame, ...], width: int) -> Iterator[Text]:
    yield Text()
    yield Text("PYTHON STACK", HEADING)
    for index, frame in enumerate(frames[:STACK_LINES]):
        sign = CURRENT if index == 0 else " "
        yield Text(cut(f"{sign} {labels.place(frame):<16} {clean(frame.function)}", width))
    if len(frames) > STACK_LINES:
        yield Text(f"  … {len(frames) - STACK_LINES} more", "dim")


def _prose(text: str, width: int) -> Iterator[Text]:
    indent = " " * (len(text) - len(text.lstrip()))
    return (Text(line) for line in wrap(text, width, indent, indent))
