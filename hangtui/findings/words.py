"""The phrases that findings are made of: names of threads and resources, places, evidence."""

from collections import Counter
from collections.abc import Iterable, Sequence

from hangtui.analysis.places import blocking_frame, function_in, native_name, place, short_path
from hangtui.analysis.waitgraph import Cycle, Edge, Relation, WaitGraph
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.model import Capture, NodeKind, Resource, Thread, ThreadRef, Wait

CHANNELS = {NodeKind.PIPE, NodeKind.SOCKET, NodeKind.PROCESS}
"""What nobody takes and gives back: whoever has an end of it, or is it, has to act."""
PYTHON_LOCKS = {NodeKind.LOCK, NodeKind.RLOCK, NodeKind.CONDITION, NodeKind.SEMAPHORE}
_NATIVE = {
    NodeKind.MUTEX,
    NodeKind.RWLOCK,
    NodeKind.ONCE,
    NodeKind.BARRIER,
    NodeKind.STDIO,
    NodeKind.FUTEX,
}
_GOALS = {
    "read": "for data from {}",
    "write": "for room in {}, which is full",
    "receive": "for data from {}",
    "send": "for room to send on {}",
    "accept": "for somebody to connect to {}",
    "connect": "for {} to answer",
}


def joined(names: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def listed(names: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    rest = len(names) - NAMES_LISTED
    return ", ".join(names) if rest <= 0 else f"{', '.join(names[:NAMES_LISTED])} and {rest} more"


def ref(thread: Thread) -> ThreadRef:
    """*thread* as findings refer to it."""
    return ThreadRef(thread.pid, thread.tid, thread.name)


def is_native(resource: Resource | None) -> bool:
    """Whether it is a lock of C code rather than of Python."""
    return resource is not None and (resource.kind in _NATIVE or resource.module is not None)


class Words:
    """Names within one capture."""

    def __init__(self, capture: Capture, graph: WaitGraph) -> None:
        self.capture = capture
        self.graph = graph
        self._threads = {thread.id: thread for thread in capture.threads()}
        self._resources = {resource.id: resource for resource in capture.resources}
        self._waits = {(wait.waiter, wait.target): wait for wait in capture.waits}
        self._names = Counter(thread.name for thread in capture.threads())
        self._names_in = Counter((thread.pid, thread.name) for thread in capture.threads())

    def thread(self, node_id: str) -> Thread | None:
        """The thread with this node id."""
        return self._threads.get(node_id)

    def resource(self, node_id: str) -> Resource | None:
        """The resource with this node id."""
        return self._resources.get(node_id)

    def threads(self, node_ids: Iterable[str]) -> list[Thread]:
        """The threads among *node_ids*."""
        return [self._threads[node_id] for node_id in node_ids if node_id in self._threads]

    def name(self, node_id: str) -> str:
        """What to call a node in a sentence."""
        thread = self.thread(node_id)
        if thread is not None:
            return self.thread_name(thread)
        resource = self.resource(node_id)
        if resource is not None:
            return resource_name(resource)
        node = self.graph.node(node_id)
        return node.label if node else node_id

    def thread_name(self, thread: Thread) -> str:
        """The thread's name, with its TID where that does not tell it from others: threads that
        Python does not know often bear the name of the program."""
        if not thread.name:
            return f"TID {thread.tid}"
        if thread.is_python is False:
            return f"the native thread {thread.name} (TID {thread.tid})"
        if self._names_in[thread.pid, thread.name] > 1:
            return f"{thread.name} (TID {thread.tid})"
        several = self._names[thread.name] > 1
        return f"{thread.name} of process {thread.pid}" if several else thread.name

    def goal(self, edge: Edge) -> str:
        """What a thread waits *for*, or *to* do: ``to write-lock the rwlock in libcuda.so``."""
        node = self.graph.node(edge.target)
        target = self.name(edge.target)
        if node is not None and not node.kind.is_resource:
            return f"for {target} to end"
        operation = self.operation(edge)
        if operation and node and node.kind is NodeKind.RWLOCK:
            return f"to {operation}-lock {target}"
        if operation in _GOALS and node and node.kind in CHANNELS:
            return _GOALS[operation].format(target)
        return f"for {target}"

    def operation(self, edge: Edge) -> str | None:
        """How a thread wants what it waits for."""
        wait = self.wait(edge)
        return wait.operation if wait else None

    def is_channel(self, node_id: str) -> bool:
        """Whether it is a pipe, a socket or a process rather than something that is locked."""
        node = self.graph.node(node_id)
        return node is not None and node.kind in CHANNELS

    def wait(self, edge: Edge) -> Wait | None:
        """The wait that a waits-for edge stands for."""
        return self._waits.get((edge.source, edge.target))

    def locks_of(self, thread: Thread) -> list[Resource]:
        """What the thread waits for and holds."""
        wait = self.graph.wait_of(thread.id)
        ids = [wait.target] if wait else []
        ids += [edge.source for edge in self.graph.held_by(thread.id)]
        return [self._resources[node_id] for node_id in ids if node_id in self._resources]

    def native_function(self, thread: Thread) -> str | None:
        """The function of a native lock's module that the thread is inside of, if one of its locks
        is native; else None."""
        native = [resource for resource in self.locks_of(thread) if is_native(resource)]
        if not native:
            return None
        name = function_in(thread, (resource.module for resource in native if resource.module))
        if name is not None:
            return name
        frame = blocking_frame(thread)
        return native_name(frame) if frame else None

    def position(self, thread: Thread, where: str | None = None) -> str:
        """``in cuMemcpyAsync, called from main.py:44 (stage)`` or ``at main.py:44 (stage)``."""
        function, line = self.native_function(thread), place(thread, where)
        if function is None:
            return f"at {line}" if line else ""
        return f"in {function}, called from {line}" if line else f"in {function}"

    def waiting(self, edge: Edge, caller: str = "") -> str:
        """``waits at bank.py:31 (transfer) for Bank.right``; *caller* goes behind the place."""
        thread = self.thread(edge.source)
        position = self.position(thread, edge.evidence.where) + caller if thread else ""
        comma = "," if "," in position else ""
        return (
            f"waits {position}{comma} {self.goal(edge)}" if position else f"waits {self.goal(edge)}"
        )

    def behind(self, cycle: Cycle, them: str) -> str:
        """`` 1 more thread waits behind them: poller.``, or nothing."""
        victims = [self.name(node) for node in self.graph.behind(cycle)]
        if len(victims) == 1:
            return f" 1 more thread waits behind {them}: {victims[0]}."
        count = len(victims)
        return f" {count} more threads wait behind {them}: {listed(victims)}." if victims else ""

    def reading(self, edge: Edge) -> str:
        """The evidence of an edge as one line."""
        evidence = edge.evidence
        if edge.relation is Relation.WAITS_FOR:
            claim = f"{self.name(edge.source)} waits {self.goal(edge)}"
            where = f" at {short_path(evidence.where)}" if evidence.where else ""
        else:
            verb = "depends on" if self.is_channel(edge.source) else "is held by"
            claim = f"{self.name(edge.source)} {verb} {self.name(edge.target)}"
            where = f", taken at {short_path(evidence.where)}" if evidence.where else ""
        return f"{claim}{where}: {evidence.text} ({evidence.certainty}, {evidence.source})"


def resource_name(resource: Resource) -> str:
    """What to call a resource in a sentence: ``the GIL``, ``Bank.left``."""
    if resource.kind is NodeKind.GIL:
        return "the GIL"
    if resource.kind is NodeKind.PROCESS:
        return resource.label
    label = resource.label.partition(" (")[0] or resource.label
    plain_word = " " in label or is_native(resource)
    return f"the {label}" if plain_word and not label.startswith("the ") else label


def stillness(threads: Sequence[Thread]) -> str:
    """How long none of *threads* ran."""
    times = [thread.still_ms for thread in threads]
    known = [time for time in times if time is not None]
    subject = f"none of the {len(threads)} threads" if len(threads) > 1 else "it never"
    if len(known) < len(times):
        return f"{subject} ran while it was read"
    return f"{subject} ran while watched for {min(known):.0f} ms"
