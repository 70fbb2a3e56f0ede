"""What threads, tasks, processes and resources of a capture are called in sentences."""

from collections import Counter
from collections.abc import Sequence

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.english import listed
from hangtui.findings.lookup import Actor, Lookup
from hangtui.findings.resources import resource_name, unnamed_type
from hangtui.findings.roles import roles_of, serves_proxies
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.model import Capture, NodeId, NodeKind, Resource, Thread

_MAIN = "MainThread"
"""How Python calls it."""


class Names(Lookup):
    """Names within one capture."""

    def __init__(self, capture: Capture, graph: WaitGraph) -> None:
        super().__init__(capture, graph)
        self._names = Counter(thread.name for thread in capture.threads())
        self._functions = Counter(task.function or task.name for task in capture.tasks)
        self._unnamed = Counter(filter(None, map(unnamed_type, capture.resources)))
        self._foreign = {
            process.pid: f"process {process.pid} ({process.title})"
            for process in capture.processes
            if process.python is None
        }
        self._roles = roles_of(capture)
        self._pythons = sum(process.python is not None for process in capture.processes)
        self._names_in = Counter((thread.pid, thread.name) for thread in capture.threads())

    def name(self, node_id: NodeId) -> str:
        """What to call a node in a sentence."""
        actor = self.actor(node_id)
        if actor is not None:
            return self.actor_name(actor)
        resource = self.resource(node_id)
        if resource is not None:
            kind = unnamed_type(resource)
            if kind is not None and (whose := self._result_of(resource)):
                return whose
            # Where there is only one of a type, its address would tell nothing.
            alone = kind is not None and self._unnamed[kind] == 1
            return f"an unnamed {kind}" if alone else resource_name(resource)
        node = self.graph.node(node_id)
        return node.label if node else node_id

    def _result_of(self, resource: Resource) -> str:
        """``the result of asyncio_0``, of a future that nothing names and one thread alone has to
        set; empty: it is none."""
        holds = self.graph.holders_of(resource.id) if resource.kind is NodeKind.FUTURE else ()
        sure = len(holds) == 1 and holds[0].evidence.certainty.supports_claim
        holder = self.actor(holds[0].target) if sure else None
        return f"the result of {self.actor_name(holder)}" if isinstance(holder, Thread) else ""

    def actor_name(self, actor: Actor) -> str:
        """The thread's name, or the task's or greenlet's: ``task refresh``, with the name that the
        program gave it, or with its number where several run the same function."""
        if isinstance(actor, Thread):
            return self.thread_name(actor)
        function = actor.function or actor.name
        if self._functions[function] == 1 and not actor.has_own_name:
            return f"{actor.kind.value} {function}"
        return actor.label

    def thread_name(self, thread: Thread) -> str:
        """The thread's name, with its TID where that does not tell it from others: threads that
        Python does not know often bear the name of the program. The main thread of another kind
        of program is called by that: ``process 712 (cat)``."""
        if not thread.is_python and thread.tid == thread.pid and thread.pid in self._foreign:
            return self._foreign[thread.pid]
        if not thread.name:
            return f"TID {thread.tid}"
        if serves_proxies(thread):
            return f"the manager's thread for {thread.name}"
        if thread.is_python is False:
            return f"the native thread {thread.name} (TID {thread.tid})"
        alike = self._names_in[thread.pid, thread.name] > 1
        name = f"{thread.name} (TID {thread.tid})" if alike else thread.name
        if thread.pid in self._roles:
            return f"{name} of {self.process_name(thread.pid)}"
        if alike:
            return name
        # A thread's fork is the main thread of the child, and keeps its name.
        fork = thread.tid == thread.pid and thread.name != _MAIN and self._pythons > 1
        several = fork or self._names[thread.name] > 1 or len(self.capture.hosts) > 1
        return f"{thread.name} of process {thread.pid}" if several else thread.name

    def has_role(self, pid: int) -> bool:
        """Whether a process is called by what it is in a job."""
        return pid in self._roles

    def process_name(self, pid: int) -> str:
        """``process 712``; with its role before that if it has one: ``rank 1 (process 712)``."""
        role = self._roles.get(pid)
        if role:
            return f"{role} (process {pid})"
        known = self.resource(NodeId.of(NodeKind.PROCESS, pid))
        return known.label if known and not self.capture.process(pid) else f"process {pid}"

    def listed(self, threads: Sequence[Thread]) -> str:
        """The names of the first few of *threads*, and how many more there are."""
        names = [self.thread_name(thread) for thread in threads[:NAMES_LISTED]]
        return listed(names + [""] * (len(threads) - len(names)))
