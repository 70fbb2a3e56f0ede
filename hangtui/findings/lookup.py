"""Who is who in a capture: threads, tasks, resources and their waits by node id, for the rules."""

from collections.abc import Iterable, Mapping
from functools import cached_property

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.lasting import Lasting, lasting_of
from hangtui.findings.resources import CHANNELS
from hangtui.model import (
    Arrivals,
    Capture,
    EventLoop,
    Looking,
    LoopState,
    NodeId,
    NodeKind,
    Progress,
    Resource,
    Task,
    Thread,
    Wait,
    thread_id,
)

Actor = Thread | Task
"""What waits and holds."""
_NOTES = ("asyncio", "uvloop", "__main__")
"""Modules whose event loops note which thread runs them."""


class Lookup:
    """The members of one capture, by node id."""

    def __init__(self, capture: Capture, graph: WaitGraph) -> None:
        self.capture = capture
        self.graph = graph
        self._threads = {thread.id: thread for thread in capture.threads()}
        self._resources = {resource.id: resource for resource in capture.resources}
        self._waits = {(wait.waiter, wait.target): wait for wait in capture.waits}
        self._tasks = {task.id: task for task in capture.tasks}

    @cached_property
    def lasting(self) -> Mapping[NodeId, Lasting]:
        """By node id, the threads that stand still in a wait that does not end by itself: most
        rules ask for them."""
        return lasting_of(self._threads, self.graph)

    @cached_property
    def _of_loops(self) -> Mapping[tuple[int, int | None], list[Task]]:
        found: dict[tuple[int, int | None], list[Task]] = {}
        for task in self.capture.tasks:
            found.setdefault((task.pid, task.loop), []).append(task)
        return found

    @cached_property
    def _libraries(self) -> Mapping[tuple[int, int], str]:
        return {(one.pid, one.address): one.library for one in self.capture.event_loops}

    @cached_property
    def _left_loops(self) -> frozenset[tuple[int, int]]:
        stopped = (one for one in self.capture.event_loops if one.state is LoopState.STOPPED)
        known = (one for one in stopped if one.library == "asyncio" and _notes_its_thread(one))
        return frozenset((one.pid, one.address) for one in known)

    @cached_property
    def stays(self) -> Mapping[NodeId, float]:
        """By task, for how many seconds several looks met it in one and the same wait."""
        return {one.task: one.lasted_s for one in self.capture.stays if one.sure}

    @cached_property
    def met_s(self) -> Mapping[NodeId, float]:
        """The same, also of tasks of which each look may have met another one of that name."""
        return {one.task: one.lasted_s for one in self.capture.stays}

    @cached_property
    def arrivals(self) -> Mapping[NodeId, Arrivals]:
        """The connections over which data came over several captures."""
        return {one.resource: one for one in self.capture.arrivals}

    @cached_property
    def progress(self) -> Mapping[str, Progress]:
        """By node id, what threads did over several captures."""
        return {one.thread: one for one in self.capture.progress}

    @cached_property
    def looking(self) -> Mapping[NodeId, Looking]:
        """The threads and tasks that do nothing but look, again and again, and print nothing."""
        return {one.waiter: one for one in self.capture.looking if not one.tells}

    @cached_property
    def looping(self) -> frozenset[NodeId]:
        """The threads that wait in an event loop: its tasks tell what they wait for."""
        loops = [one for one in self.capture.event_loops if one.state is not LoopState.BUSY]
        return frozenset(thread_id(loop.pid, loop.tid) for loop in loops if loop.tid is not None)

    @cached_property
    def carrying(self) -> frozenset[NodeId]:
        """The threads that run an event loop, whatever that does."""
        loops = self.capture.event_loops
        return frozenset(thread_id(loop.pid, loop.tid) for loop in loops if loop.tid is not None)

    def thread(self, node_id: NodeId) -> Thread | None:
        """The thread with this node id."""
        return self._threads.get(node_id)

    def resource(self, node_id: NodeId) -> Resource | None:
        """The resource with this node id."""
        return self._resources.get(node_id)

    def actor(self, node_id: NodeId) -> Actor | None:
        """The thread or task with this node id."""
        return self._threads.get(node_id) or self._tasks.get(node_id)

    def tasks_of(self, loop: EventLoop) -> list[Task]:
        """The tasks that this event loop runs."""
        return self._of_loops.get((loop.pid, loop.address), [])

    def has_no_runner(self, task: Task) -> bool:
        """Whether no thread runs the event loop of asyncio that it is in."""
        return (task.pid, task.loop) in self._left_loops

    def library_of(self, task: Task) -> str | None:
        """The package whose loop runs this task, as it is imported."""
        return self._libraries.get((task.pid, task.loop))

    def actors(self, node_ids: Iterable[NodeId]) -> list[Actor]:
        """The threads and tasks among *node_ids*."""
        found = (self.actor(node_id) for node_id in node_ids)
        return [actor for actor in found if actor is not None]

    def carriers(self, actors: Iterable[Actor]) -> list[Thread]:
        """The threads among *actors*, and those that run the event loops of the tasks."""
        ids = (
            actor.id if isinstance(actor, Thread) else thread_id(actor.pid, actor.loop_tid or 0)
            for actor in actors
        )
        return self.threads(dict.fromkeys(ids))

    def threads(self, node_ids: Iterable[NodeId]) -> list[Thread]:
        """The threads among *node_ids*."""
        return [self._threads[node_id] for node_id in node_ids if node_id in self._threads]

    def operation(self, edge: Edge) -> str | None:
        """How a thread wants what it waits for."""
        wait = self.wait(edge)
        return wait.operation if wait else None

    def method(self, edge: Edge) -> str | None:
        """The method of Python's standard library that waits: ``get`` of a queue."""
        wait = self.wait(edge)
        return wait.method if wait else None

    def is_channel(self, node_id: NodeId) -> bool:
        """Whether it is a pipe, a socket or a process rather than something that is locked."""
        node = self.graph.node(node_id)
        return node is not None and node.kind in CHANNELS

    def wait(self, edge: Edge) -> Wait | None:
        """The wait that a waits-for edge stands for."""
        return self._waits.get((edge.source, edge.target))

    def locks_of(self, thread: Actor) -> list[Resource]:
        """What the thread waits for and holds."""
        wait = self.graph.wait_of(thread.id)
        ids = [wait.target] if wait else []
        ids += [edge.source for edge in self.graph.held_by(thread.id)]
        return [self._resources[node_id] for node_id in ids if node_id in self._resources]

    def is_future(self, node_id: NodeId) -> bool:
        """Whether a node is a future or an event: nobody holds it, somebody will set it."""
        node = self.graph.node(node_id)
        return node is not None and node.kind in (NodeKind.FUTURE, NodeKind.EVENT)


def _notes_its_thread(loop: EventLoop) -> bool:
    """Whether its type is not one of another package, which may run it in a way of its own."""
    module, _, _ = loop.type_name.rpartition(".")
    return not module or module.split(".")[0] in _NOTES
