"""Rings of those who only wait for each other's data: the one for an answer, or both for whatever
comes next, which is rest as long as nobody waits for what one of them would bring."""

from collections.abc import Sequence

from hangtui.analysis.waitgraph import Cycle, Relation
from hangtui.findings.backlog import unaccepted
from hangtui.findings.inert import CONNECTIONS
from hangtui.findings.pending_calls import pending_calls
from hangtui.findings.rings.behind import behind
from hangtui.findings.senders import RECEIVES, may_be_told
from hangtui.findings.stack_queries import at_own_line, main_thread
from hangtui.findings.words import Actor, Words
from hangtui.model import Task


def rests_at_messages(cycle: Cycle, members: Sequence[Actor], words: Words) -> bool:
    """Whether no member of a ring over connections is known to wait for an answer: each takes what
    comes next in a loop, or may have asked to be told what others say, and one of them is not what
    its program began with, which does something else; nobody waits behind them, or that is told as
    a call without an answer."""
    if not _all_receive(cycle, words):
        return False
    inside = {one.id for one in members}
    calls = pending_calls(words.capture, words.graph)
    if any(call.reader.id in inside and call.peer.id in inside for call in calls):
        return True
    pids = {one.pid for one in members}
    if not all(
        one.takes_next or any(may_be_told(one, pid, words) for pid in pids - {one.pid})
        for one in members
    ):
        return False
    return not all(_begins(one, words) for one in members) and not behind(cycle, "them", words)


def _begins(actor: Actor, words: Words) -> bool:
    """Whether it is what its program began with: the main thread, or the entry task of a loop."""
    if isinstance(actor, Task):
        return actor.is_entry
    process = words.capture.process(actor.pid)
    main = main_thread(process) if process else None
    return main is None or main.id == actor.id


def asker_and_server(
    cycle: Cycle, members: Sequence[Actor], words: Words
) -> tuple[Actor, Actor] | None:
    """Of two threads or tasks that wait for data from each other: the one that waits for an answer,
    and the one that takes the next message in a loop; None: they are not such two."""
    if len(members) != 2 or not _all_receive(cycle, words):
        return None
    serving = [one for one in members if one.takes_next]
    asking = [one for one in members if one.takes_next is False and at_own_line(one)]
    return (asking[0], serving[0]) if len(serving) == len(asking) == 1 else None


def _all_receive(cycle: Cycle, words: Words) -> bool:
    waits = [edge for edge in cycle.edges if edge.relation is Relation.WAITS_FOR]
    return all(
        wait.target.kind in CONNECTIONS
        and words.operation(wait) in RECEIVES
        and not unaccepted(wait, words)
        for wait in waits
    )
