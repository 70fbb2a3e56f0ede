"""What the actors do that run a compiled graph of Ray, of which somebody waits for a result."""

from collections.abc import Iterator

from hangtui.analysis.places import application_index
from hangtui.findings.english import clauses
from hangtui.findings.stack_queries import at, index_of, name_of
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import Thread

_GRAPH = "/ray/dag/compiled_dag_node.py"
_CHANNELS = "/ray/experimental/channel/"
_MONITOR = "CompiledGraphMonitorThread"
_LOOP, _ASKS = "do_exec_tasks", "_execute_until"
_WRITES = (
    " waits to write its result into a channel: there is room only once those who read what was "
    "written before have let go of it (arrays that `ray.get` gave are read where they lie, and "
    "keep their place as long as anything refers to them)"
)


def told_graph(pid: int, words: Words) -> str:
    """`` Its graph is run by actors: ray::Encoder (process 9) waits to write ...``, of a process
    that waits for a result of one; empty: it does not, or no such actor was captured."""
    process = words.capture.process(pid)
    if process is None or not any(_inside(one, _ASKS) for one in process.threads):
        return ""
    told = list(_actors(words))
    return f" Its graph is run by actors: {clauses(told[:NAMES_LISTED])}." if told else ""


def _actors(words: Words) -> Iterator[str]:
    for process in words.capture.processes:
        for thread in process.threads:
            if _inside(thread, _LOOP):
                yield f"{words.process_name(process.pid)}{_doing(thread)}"


def _doing(thread: Thread) -> str:
    stack = thread.python_stack or ()
    own = application_index(stack)
    if own is not None:
        return f" is in a method{at(stack[own])}"
    channel = {name_of(frame) for frame in stack if _CHANNELS in frame.filename}
    if "write" in channel:
        return _WRITES
    if "read" in channel:
        return " waits for the next input of its part"
    return " runs its part"


def looks_after_graph(thread: Thread) -> bool:
    """Whether it is Ray's own thread that waits for the loops of a graph's actors to end, which
    they do only with the graph, or if they fail."""
    return thread.name == _MONITOR and _inside(thread, "run")


def _inside(thread: Thread, function: str) -> bool:
    return index_of(thread, {function}, _GRAPH) is not None
