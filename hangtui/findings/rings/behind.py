"""Who only waits behind the members of a ring."""

from collections import Counter

from hangtui.analysis.waitgraph import Cycle
from hangtui.findings.english import counted, joined, listed
from hangtui.findings.exits import exit_function
from hangtui.findings.services import of_library
from hangtui.findings.stack_queries import at_own_line
from hangtui.findings.words import Words
from hangtui.model import NodeId, Task, TaskState


def behind(cycle: Cycle, them: str, words: Words) -> str:
    """`` 1 more thread waits behind them: poller.``, or nothing."""
    victims = [node for node in words.graph.behind(cycle) if _is_victim(node, words)]
    if not victims:
        return ""
    inside = {node.pid for node in cycle.nodes}
    names = listed([_named(node, words, elsewhere=node.pid not in inside) for node in victims])
    kinds = Counter(node.kind.value for node in victims)
    who = joined([counted(number, f"more {kind}") for kind, number in kinds.items()])
    return f" {who} {'waits' if len(victims) == 1 else 'wait'} behind {them}: {names}."


def _is_victim(node: NodeId, words: Words) -> bool:
    """Not a task whose frames are on a member's stack, which is the member; nor a thread that a
    library runs for itself, as those that watch for the end of others."""
    thread, actor = words.thread(node), words.actor(node)
    if isinstance(actor, Task):
        return actor.state is not TaskState.RUNNING
    return thread is None or not of_library(thread, words)


def _named(node: NodeId, words: Words, *, elsewhere: bool) -> str:
    """Its name; of one in another process also the application's line."""
    thread, name = words.thread(node), words.name(node)
    if thread is None:
        return name
    if exit_function(thread) is not None:
        return f"{name}, in the interpreter's exit"
    return f"{name}{at_own_line(thread)}" if elsewhere else name
