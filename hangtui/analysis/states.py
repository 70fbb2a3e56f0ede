"""One word for what a thread does, from the facts of its capture."""

from enum import StrEnum

from hangtui.analysis.frame_classifier import base_name, eval_frame, runtime_module
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.model import GilState, NodeKind, Task, TaskState, Thread


class ThreadState(StrEnum):
    """What a thread does; the most interesting first."""

    CRASH = "CRASH"
    DEADLOCK = "DLOCK"
    LOCK = "LOCK"
    GIL = "GIL"
    WAIT = "WAIT"
    DISK = "DISK"
    IO = "IO"
    NATIVE = "NATIVE"
    GC = "GC"
    RUN = "RUN"
    STOPPED = "STOP"
    SLEEP = "SLEEP"
    ZOMBIE = "ZOMBIE"
    UNKNOWN = "?"

    # Enum's own is Python code, and every thread's rank is looked up.
    __hash__ = str.__hash__

    @property
    def code(self) -> str:
        """What the JSON calls it; everything that people read has `state_words`."""
        return self.value

    @property
    def letter(self) -> str:
        """One letter for narrow places."""
        return _LETTERS.get(self, self.value[0])

    @property
    def rank(self) -> int:
        """0 for the most interesting."""
        return _RANKS[self]


_LETTERS = {
    ThreadState.CRASH: "!",
    ThreadState.DEADLOCK: "X",
    ThreadState.GC: "C",
    ThreadState.STOPPED: "T",
}
_RANKS = {state: rank for rank, state in enumerate(ThreadState)}

# Waits that have an owner by nature, known or not. All others are LOCK only if somebody holds them.
_OWNED = {
    NodeKind.MUTEX,
    NodeKind.RWLOCK,
    NodeKind.LOCK,
    NodeKind.RLOCK,
    NodeKind.IMPORT_LOCK,
    NodeKind.ONCE,
    NodeKind.STDIO,
}
_WAITS = {
    "futex", "wait4", "waitid", "pause", "rt_sigsuspend", "rt_sigtimedwait", "semop",
    "semtimedop", "futex_waitv",
}  # fmt: skip
COLLECTORS = frozenset({
    "collect", "gc_collect_main", "gc_collect_generations", "gc_collect_region", "gc_collect",
    "gc_collect_with_callback", "collect_with_callback", "collect_generations", "_PyGC_Collect",
    "PyGC_Collect", "_Py_RunGC", "deduce_unreachable", "gc_collect_internal", "finalize_garbage",
    "_PyGC_CollectNoFail", "handle_weakrefs", "delete_garbage", "update_refs", "subtract_refs",
    "move_unreachable", "visit_decref", "visit_reachable", "gc_collect_young", "gc_collect_full",
    "gc_collect_increment",
})  # fmt: skip
"""Functions of CPython's cyclic garbage collector (Modules/gcmodule.c, Python/gc.c)."""


def state_of(thread: Thread, graph: WaitGraph) -> ThreadState:
    """What *thread* does."""
    node_id = thread.id
    if graph.crashed == node_id:
        return ThreadState.CRASH
    if thread.state in ("Z", "X"):
        return ThreadState.ZOMBIE
    if graph.cycle_of(node_id) is not None:
        return ThreadState.DEADLOCK
    if thread.state in ("T", "t"):
        return ThreadState.STOPPED
    wait = graph.wait_of(node_id)
    if wait is not None:
        return _waiting(thread, wait, graph)
    if thread.gil is GilState.WAITS:
        return ThreadState.GIL
    return _unexplained(thread)


def task_state(task: Task, graph: WaitGraph) -> ThreadState:
    """What a task or a greenlet does; one that is ready runs as soon as its loop comes to it."""
    if graph.cycle_of(task.id) is not None:
        return ThreadState.DEADLOCK
    if task.state is not TaskState.WAITING:
        return ThreadState.RUN
    wait = graph.wait_of(task.id)
    return ThreadState.WAIT if wait is None else _by_target(wait, graph)


def _waiting(thread: Thread, wait: Edge, graph: WaitGraph) -> ThreadState:
    node = graph.node(wait.target)
    if node is not None and node.kind is NodeKind.GIL:
        return ThreadState.GIL
    return ThreadState.SLEEP if _idle_worker(thread) else _by_target(wait, graph)


def _by_target(wait: Edge, graph: WaitGraph) -> ThreadState:
    node = graph.node(wait.target)
    kind = node.kind if node else None
    if kind in (NodeKind.PIPE, NodeKind.SOCKET):
        return ThreadState.IO
    if kind in _OWNED or (node and node.kind.is_resource and graph.holders_of(node.id)):
        return ThreadState.LOCK
    return ThreadState.WAIT


def _unexplained(thread: Thread) -> ThreadState:
    """What a thread does for which no wait was found."""
    match thread.state:
        case "R":
            return _running(thread)
        case "D":
            return ThreadState.DISK
        case "S" if _idle_worker(thread):
            return ThreadState.SLEEP
        case "S":
            return _blocked(thread)
        case "I":
            return ThreadState.SLEEP
    return ThreadState.UNKNOWN


def _running(thread: Thread) -> ThreadState:
    native = thread.native_stack or ()
    if thread.collecting or any(base_name(frame) in COLLECTORS for frame in native):
        return ThreadState.GC
    if thread.gil is GilState.HOLDS:
        return ThreadState.RUN
    if thread.is_python is False or (
        native and not eval_frame(native[0]) and not runtime_module(native[0])
    ):
        return ThreadState.NATIVE
    return ThreadState.RUN


def _blocked(thread: Thread) -> ThreadState:
    if thread.syscall is not None:
        if thread.syscall.sleeps:
            return ThreadState.SLEEP
        return ThreadState.WAIT if thread.syscall.name in _WAITS else ThreadState.IO
    wchan = thread.wchan or ""
    if not wchan or wchan == "0":
        return ThreadState.UNKNOWN
    if "nanosleep" in wchan:
        return ThreadState.SLEEP
    if "futex" in wchan or wchan in ("do_wait", "do_sigtimedwait", "sigsuspend"):
        return ThreadState.WAIT
    return ThreadState.IO


def _idle_worker(thread: Thread) -> bool:
    """A pool's thread that waits for work: asleep, whatever it waits on."""
    innermost = thread.python_stack[0] if thread.python_stack else None
    return (
        innermost is not None
        and innermost.function == "_worker"
        and innermost.filename.endswith("concurrent/futures/thread.py")
    )
