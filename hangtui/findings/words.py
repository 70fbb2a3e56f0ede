"""The phrases that findings are made of: what is waited for, places, evidence."""

from collections.abc import Iterable

from hangtui.analysis.latest import of_latest
from hangtui.analysis.places import (
    application_index,
    blocking_frame,
    called_last,
    function_in,
    library_frame,
    line_and_function,
    native_name,
    place,
    short_path,
)
from hangtui.analysis.waitgraph import Edge, Relation, WaitGraph
from hangtui.findings.child_ends import how_ended
from hangtui.findings.english import article, joined, listed
from hangtui.findings.library_waits import call_within, request_awaited
from hangtui.findings.lookup import Actor
from hangtui.findings.loops import terms_for
from hangtui.findings.messages import message_for
from hangtui.findings.names import Names
from hangtui.findings.resources import (
    CHANNELS,
    at_queue,
    is_native,
    missing_at,
)
from hangtui.findings.thresholds import LINES_LISTED, ZOMBIE_AGE_S
from hangtui.model import Capture, NodeKind, Task, Thread, ThreadRef

__all__ = ["Actor", "Words", "ref", "words_of"]

_GOALS = {
    "read": "for data from {}",
    "end": "for the end of {}",
    "write": "for room in {}, which is full",
    "receive": "for data from {}",
    "handshake": "for its peer's part of the TLS handshake over {}",
    "send": "for room to send on {}",
    "enqueue": "for room in {} (full)",
    "dequeue": "for a message in {} (empty)",
    "event": "for an event of {}",
    "eventfd": "for somebody to write to {}",
    "timer": "for {}",
    "accept": "for somebody to connect to {}",
    "message": "for somebody to send to {}",
    "connect": "for {} to answer",
    "open": "for somebody to open the other end of {}",
    "linger": "for the other side of {} to take what it sent, before it is closed (SO_LINGER)",
}

_READS = ("read", "receive", "end")
_DOES = {
    "started": "call task_status.started()",
    "start": "start its program",
    "gone": "be gone",
    "stop": "stop, as all threads were asked to",
    "go-on": "let all threads go on",
    "nested": "end, and with it the run of the loop that stands above its own on the same stack",
}
"""What a process, thread or task is to do that somebody waits for; else it is to end."""
_BY_HAND = " to switch to it, as nobody else can"


def ref(thread: Thread) -> ThreadRef:
    """*thread* as findings refer to it."""
    return ThreadRef(thread.pid, thread.tid, thread.name)


@of_latest
def words_of(capture: Capture, graph: "WaitGraph") -> "Words":
    """The names within *capture*; all rules ask for those of the same one, one after the other."""
    return Words(capture, graph)


class Words(Names):
    """Names and phrases within one capture."""

    def _answer(self, edge: Edge, kind: NodeKind, target: str) -> str | None:
        """What is waited for of whoever works that out, by its kind or by the library's function;
        None: it is nothing of that."""
        wait, task = self.wait(edge), self._tasks.get(edge.source)
        if kind is NodeKind.ACTOR:
            return f"for an answer of {target}{f' to {wait.asks}' if wait and wait.asks else ''}"
        if kind is NodeKind.WORKER:
            return f"for a result of {target}"
        if kind is NodeKind.CALL:
            return f"for the result of {target}"
        if task is None or kind not in (NodeKind.FUTURE, NodeKind.TASK):
            return None
        stack = task.python_stack or ()
        known = self.resource(edge.target)
        asked = request_awaited(task.name, known.label) if known else None
        return asked or call_within(stack[: application_index(stack)])

    def goal(self, edge: Edge) -> str:
        """What a thread waits *for*, or *to* do: ``to write-lock the rwlock in libcuda.so``."""
        node = self.graph.node(edge.target)
        target = self.name(edge.target)
        if node is not None and node.kind is NodeKind.THREAD and edge.source in self._tasks:
            task = self._tasks[edge.source]
            runs = f", which runs its {terms_for([task], self.capture).loop}"
            return f"for {target}{_BY_HAND if task.by_hand else runs}"
        operation = self.operation(edge)
        if (
            node is not None
            and node.kind is NodeKind.TASK
            and (answer := self._answer(edge, node.kind, target))
        ):
            return answer
        if node is not None and not node.kind.is_resource:
            known = self.resource(edge.target)
            comma = "," if known is not None and known.note else ""  # its name says why it stands
            does = _DOES.get(operation or "", "end")
            return f"for {target}{comma} to {does}{self._over(edge) if does == 'end' else ''}"
        resource = self.resource(edge.target)
        if resource is not None and resource.lends:
            one = f"for {article(resource.lends)} of {target}"
            return f"until no {resource.lends} of {target} is out" if operation == "join" else one
        if node is not None and (answer := self._answer(edge, node.kind, target)):
            return answer
        if operation and node and node.kind is NodeKind.RWLOCK:
            return f"to {operation}-lock {target}"
        if operation in _GOALS and node and node.kind in CHANNELS:
            return self._message(edge) or _GOALS[operation].format(target)
        missing = missing_at(resource) if resource is not None else None
        ways = operation, self.method(edge)
        type_name = resource.type_name if resource is not None else None
        of = f"{missing} of " if missing else ""
        if node is not None and node.kind is NodeKind.IO_LOCK:
            of = "the lock of "
        if ways[1] == "result" and resource is not None and resource.name:
            of = "the result of "  # which a variable bears: that alone tells no kind
        return at_queue(edge.target.kind, ways, type_name, target) or f"for {of}{target}"

    def _over(self, edge: Edge) -> str:
        """``, which ended with status 0 and has not been reaped``: of a child that is a zombie."""
        process = self.capture.process(edge.source.pid)
        children = (process.around.children if process and process.around else None) or ()
        if edge.target.kind is not NodeKind.PROCESS:
            return ""
        left = (one for one in children if one.pid == edge.target.pid and one.state == "Z")
        return next(
            (
                f", which {how_ended(one)} and has not been reaped"
                for one in left
                if (one.ended_s or 0) >= ZOMBIE_AGE_S
            ),
            "",
        )

    def _message(self, edge: Edge) -> str:
        """``for a reply of the SMTP server, over ...``, of who reads one; empty: not known."""
        actor = self.actor(edge.source) if self.operation(edge) in _READS else None
        message = message_for(actor)
        return f"for {message}, over {self.name(edge.target)}" if message else ""

    def native_function(self, thread: Actor) -> str | None:
        """The function of a native lock's module that the thread is inside of, if one of its locks
        is native; else None."""
        native = [resource for resource in self.locks_of(thread) if is_native(resource)]
        if not native or isinstance(thread, Task):
            return None
        name = function_in(thread, (resource.module for resource in native if resource.module))
        if name is not None:
            return name
        frame = blocking_frame(thread)
        return native_name(frame) if frame else None

    def position(self, thread: Actor, where: str | None = None) -> str:
        """``in cuMemcpyAsync, called from main.py:44 (stage)`` or ``at main.py:44 (stage)``."""
        function, line = self.native_function(thread), place(thread, where)
        if function is None:
            return f"at {line}" if line else ""
        if line and not called_last(thread, function):  # Python code runs inside of it
            return f"inside of {function}, at {line}"
        return f"in {function}, called from {line}" if line else f"in {function}"

    def waiting(self, edge: Edge, caller: str = "") -> str:
        """``waits at bank.py:31 (transfer) for Bank.right``; *caller* goes behind the place."""
        actor = self.actor(edge.source)
        position = self.position(actor, edge.evidence.where) + caller if actor else ""
        comma = "," if "," in position else ""
        return (
            f"waits {position}{comma} {self.goal(edge)}" if position else f"waits {self.goal(edge)}"
        )

    def stack_of(self, thread: Actor) -> str | None:
        """The program's own lines on a stack: ``reader: a.py:1 (read), from a.py:9 (fetch)``."""
        own = [frame for frame in thread.python_stack or () if not library_frame(frame)]
        lines = [line_and_function(frame) for frame in own[:LINES_LISTED]]
        more = ", ..." if len(own) > LINES_LISTED else ""
        return f"{self.actor_name(thread)}: {', from '.join(lines)}{more}" if own[1:] else None

    def loops(self, actors: Iterable[Actor]) -> str:
        """`` They are tasks of the event loop in MainThread, ...``, or nothing."""
        members = list(actors)
        tasks = [actor for actor in members if isinstance(actor, Task) and not actor.by_hand]
        if not tasks:
            return ""
        names = [self.thread_name(thread) for thread in self.carriers(tasks)]
        threads = joined(names) if names else "an unknown thread"
        terms = terms_for(tasks, self.capture)
        loops = f"{terms.whole}s" if len(names) > 1 else terms.whole
        if len(tasks) == len(members) > 1:
            return f" They are {terms.unit}s of the {loops} in {threads}."
        who = listed([self.actor_name(task) for task in tasks])
        run = "run" if len(names) > 1 else "runs"
        return f" The {loops} of {who} {run} in {threads}."

    def verb(self, edge: Edge) -> str:
        """What joins the two ends of an edge in a sentence."""
        if edge.relation is Relation.WAITS_FOR:
            return "waits for"
        if self.is_future(edge.source):
            return "has to be set by"
        if edge.source.kind in (NodeKind.ACTOR, NodeKind.CALL, NodeKind.WORKER):
            return "is run by"
        return "depends on" if self.is_channel(edge.source) else "is held by"

    def reading(self, edge: Edge) -> str:
        """The evidence of an edge as one line."""
        evidence = edge.evidence
        if edge.relation is Relation.WAITS_FOR:
            claim = f"{self.name(edge.source)} waits {self.goal(edge)}"
            where = f" at {short_path(evidence.where)}" if evidence.where else ""
            where = f",{where}" if where and ", which" in claim else where
        else:
            claim = f"{self.name(edge.source)} {self.verb(edge)} {self.name(edge.target)}"
            where = f", taken at {short_path(evidence.where)}" if evidence.where else ""
        return f"{claim}{where}: {evidence.text} ({evidence.certainty}, {evidence.source})"
