"""What is to end waits later on, as facts: timers of event loops, and calls by a name."""

import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.signal_handlers import python_handlers
from hangtui.backends.cpython.wakers.later import LoopCall
from hangtui.backends.cpython.wakers.search import Search
from hangtui.backends.facts import Facts
from hangtui.model import NodeId, NodeKind

_SET_BY_HANDLERS = frozenset(
    {NodeKind.EVENT, NodeKind.CONDITION, NodeKind.QUEUE, NodeKind.SEMAPHORE, NodeKind.FUTURE}
)


def add_timers(
    facts: Facts, nodes: Mapping[int, NodeId], search: Search, timers: Iterable[LoopCall]
) -> None:
    """Of *nodes* by address for which one of *timers* would end the wait, in how many seconds."""
    now = time.monotonic()
    for address, when in search.later.by_timers(timers).items():
        if node := nodes.get(address):
            one = facts.resources[node]
            facts.resources[node] = replace(one, timer_s=max(0.0, when - now))


def add_signals(
    facts: Facts, nodes: Mapping[int, NodeId], search: Search, python: PythonReader
) -> None:
    """Of *nodes* by address, to which nobody comes, which signals have handlers that would."""
    if not any(node.kind in _SET_BY_HANDLERS for node in nodes.values()):
        return
    for name, function in python_handlers(python, python.image).items():
        for address in search.later.ended_by(function):
            if node := nodes.get(address):
                one = facts.resources[node]
                facts.resources[node] = replace(one, signals=(*one.signals, name))


def add_named(
    facts: Facts,
    nodes: Mapping[int, NodeId],
    stuck: Collection[tuple[NodeId, int]],
    search: Search,
    stacks: Mapping[NodeId, tuple[Frame, ...]],
) -> None:
    """Of *nodes* by address whose enders are known, who comes to a call by the name of one.
    *stuck*: who waits for what."""
    methods = {at: _methods(facts.resources[node].enders) for at, node in nodes.items()}
    comers = search.later.by_name(stacks, {name for names in methods.values() for name in names})
    for address, names in methods.items():
        found = dict.fromkeys(one for name in names for one in comers.get(name, ()))
        others = tuple(one for one in found if (one, address) not in stuck)
        if others:
            node = nodes[address]
            facts.resources[node] = replace(facts.resources[node], named_by=others)


def _methods(enders: Iterable[str]) -> list[str]:
    """``finish``, of ``Job.finish (jobs.py:12)``."""
    return [one.partition(" (")[0].rpartition(".")[2] for one in enders]
