"""What somebody waits for, who alone can end that, what that one waits for, and so on, in words."""

from itertools import pairwise

from hangtui.analysis.places import program_frame
from hangtui.analysis.waitgraph import Edge, Relation
from hangtui.findings.actors import REMOTE
from hangtui.findings.english import joined
from hangtui.findings.stack_queries import at, does, main_thread, own_frame
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import NodeId, NodeKind, Task, TaskState, Thread

_MOST = 8
"""Steps of a chain that are told."""
_LOOKS = 3
"""From which on they tell what somebody never leaves."""
_VERBS = {**dict.fromkeys(REMOTE, "runs"), NodeKind.FUTURE: "is to set"}


def chain(start: NodeId, words: Words) -> list[Edge]:
    """From wait to holder to wait, as far as each time one alone is known."""
    graph, here, seen = words.graph, start, set[str]()
    edges: list[Edge] = []
    while here not in seen and (wait := graph.wait_of(here)):
        seen.add(here)
        edges.append(wait)
        holds = graph.holders_of(wait.target)
        if len(holds) != 1:
            break
        edges.append(holds[0])
        here = holds[0].target
    return edges


def links(edges: list[Edge], words: Words) -> list[str]:
    """Each of *edges* but the first as a part of a sentence: ``which worker-2 holds``, ``and itself
    waits at ...``."""
    told = []
    for before, edge in pairwise(edges):
        if edge.relation is Relation.WAITS_FOR:
            told.append(f"and itself {words.waiting(edge)}")
        elif edge.source.kind is NodeKind.PROCESS:
            continue  # it ends by itself, and nobody holds it
        elif edge.source.kind in (NodeKind.PIPE, NodeKind.SOCKET):
            itself = " itself" if before.source.pid == edge.target.pid else ""
            owner = words.process_name(edge.target.pid)
            told.append(f"whose other end {owner}{itself} has open")
        else:
            told.append(f"which {words.name(edge.target)} {_VERBS.get(edge.source.kind, 'holds')}")
    return told


def with_links(first: str, edges: list[Edge], words: Words) -> str:
    """*first*, which tells of the one that waits, with what keeps it and what the last does."""
    return ", ".join([first, *links(edges, words)]) + told_last(edges, words)


def told_last(edges: list[Edge], words: Words) -> str:
    """``, and sleeps at feed.py:3 (pause)``: what the last of a chain does, who waits for nothing
    that is known; empty: it does, or was not seen."""
    if not edges or edges[-1].relation is Relation.WAITS_FOR:
        return ""
    holder = words.thread(edges[-1].target)
    if holder is None:
        return ""
    ends = edges[-1].source.kind is NodeKind.PROCESS
    here = does(holder, words).removeprefix(words.thread_name(holder))
    return f", which{here}" if ends else f", and{here}"


def busy_in(hold: Edge, words: Words) -> str:
    """What who is to answer does now, and what that leads to: ``MainThread of ray::Cart waits at
    ...``."""
    actor = words.actor(hold.target)
    if isinstance(actor, Thread):
        return does(actor, words) + _inside(actor, words) + told_there(actor, words)
    name, found = words.name(hold.target), chain(hold.target, words)
    if actor is None:
        return name
    if not found:
        return f"{name}{_at_what(actor)}"
    return ", ".join([f"{name} {words.waiting(found[0])}", *links(found[:_MOST], words)])


def _inside(thread: Thread, words: Words) -> str:
    """``, inside of Crawler.next in all 5 looks``, of one that runs: the innermost function that it
    never left; empty: it waits, or there were too few looks."""
    seen = words.progress.get(thread.id)
    if seen is None or not seen.ran or seen.looks < _LOOKS or not seen.common[1:]:
        return ""
    if thread.asleep and words.graph.wait_of(thread.id) is not None:
        return ""
    frame = own_frame(thread)
    inside = "it" if frame and frame.function == seen.common[-1] else seen.common[-1]
    return f", inside of {inside} in all {seen.looks} looks"


def _at_what(task: Task) -> str:
    """`` awaits data (StreamReader) at main.py:9 (fetch)``, of one whose wait has no object that is
    known; `` runs at main.py:9 (count)``."""
    where = at(program_frame(task.python_stack or ()))
    if task.state is not TaskState.WAITING:
        return f" runs{where}" if task.state is TaskState.RUNNING else " waits for its turn"
    return f" awaits {task.awaits}{where}" if task.awaits else f" waits{where}" if where else ""


def told_there(thread: Thread, words: Words) -> str:
    """``, where process 12 (cat) waits for data from the terminal``: what those do, in other
    processes, who could end the wait of *thread*; empty: there are none, or they were not seen."""
    wait = words.graph.wait_of(thread.id)
    holds = words.graph.holders_of(wait.target) if wait else ()
    pids = dict.fromkeys(one.target.pid for one in holds)
    processes = filter(None, map(words.capture.process, pids))
    mains = (main_thread(one) for one in processes if one.pid != thread.pid)
    told = [does(one, words) for one in mains if one is not None]
    return f", where {joined(told[:NAMES_LISTED])}" if told else ""
