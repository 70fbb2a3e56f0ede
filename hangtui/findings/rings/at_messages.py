"""Rings of those who only wait for each other's next message, which is rest as long as nobody waits
for what one of them would bring."""

from collections.abc import Sequence

from hangtui.analysis.waitgraph import Cycle, Edge, Relation
from hangtui.findings.outside.unanswered_call import unanswered_calls
from hangtui.findings.rings.behind import behind
from hangtui.findings.stack_queries import main_thread
from hangtui.findings.words import Actor, Words
from hangtui.model import NodeKind, Thread

_RECEIVES = frozenset({"receive", "read"})


def rests_at_messages(cycle: Cycle, members: Sequence[Actor], words: Words) -> bool:
    """Whether no member of a ring over connections has sent anything that is to be answered: each
    takes what comes next in a loop, and one of them is not the main thread of its process, which
    does something else; nobody waits behind them, or that is told as a call without an answer."""
    waits = [edge for edge in cycle.edges if edge.relation is Relation.WAITS_FOR]
    if not all(_over_connection(wait, words) for wait in waits):
        return False
    inside = {one.id for one in members}
    calls = unanswered_calls(words.capture, words.graph)
    if any(call.reader.id in inside and call.peer.id in inside for call in calls):
        return True
    if not all(isinstance(one, Thread) and one.takes_next for one in members):
        return False
    mains = (
        main_thread(process)
        for process in map(words.capture.process, {m.pid for m in members})
        if process
    )
    return any(main is not None and main.id not in inside for main in mains) and not behind(
        cycle, "them", words
    )


def _over_connection(wait: Edge, words: Words) -> bool:
    return wait.target.kind is NodeKind.SOCKET and words.operation(wait) in _RECEIVES
