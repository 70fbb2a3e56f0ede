"""What is lent on: from look to look others have it, or those who have it have got further."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from hangtui.model import Capture, NodeId, NodeKind, NoHolder, Traffic, Unheld, thread_id

_POOLS = (NodeKind.POOL, NodeKind.LIMITER)
_BY_NOBODY = (NoHolder.GONE, NoHolder.PASSING)
_TELL = 3
"""Looks of which not each may have met somebody between two steps."""
_Holders = Mapping[NodeId, frozenset[NodeId]]


def lent_on(captures: Sequence[Capture]) -> Iterator[NodeId]:
    """Those of which two of *captures* in a row know all who had something, and these are not the
    same, or tasks each of which has had an answer and has asked for another one."""
    for earlier, later in pairwise(captures):
        before, now = _holders(earlier), _holders(later)
        for pool in before.keys() & now.keys():
            if before[pool] != now[pool] or _asked_again(now[pool], earlier, later):
                yield pool


def had_meanwhile(captures: Sequence[Capture]) -> Iterator[NodeId]:
    """What nobody is seen to have in the last of *captures*, where tasks went on meanwhile, and
    somebody in one of those before it."""
    *earlier, last = captures
    known = {one.id for one in last.resources if one.no_holder is NoHolder.PASSING}
    for one in (one for capture in earlier if known for one in capture.resources):
        if one.id in known and one.no_holder not in _BY_NOBODY:
            yield one.id


def had_by_nobody(captures: Sequence[Capture], moments: Sequence[float]) -> Iterator[Unheld]:
    """What nobody was seen to have in any of three or more *captures*, in each of which tasks
    waited for it: that one took it between two steps of one reading may be once, not each time.

    *moments*: when each was taken, in seconds.
    """
    if len(captures) < _TELL:
        return
    each = []
    for capture in captures:
        awaited = {wait.target for wait in capture.waits if wait.waiter.kind is NodeKind.TASK}
        known = (one for one in capture.resources if one.no_holder in _BY_NOBODY)
        each.append({one.id for one in known if one.id in awaited})
    for node in sorted(set.intersection(*each)):
        yield Unheld(node, moments[-1] - moments[0])


def _holders(capture: Capture) -> _Holders:
    """Who has something of each pool all of whose things are accounted for."""
    known = {
        one.id: one.out
        for one in capture.resources
        if one.kind in _POOLS and one.out and one.out == one.accounted
    }
    holders: dict[NodeId, set[NodeId]] = {pool: set() for pool in known}
    for hold in capture.holds:
        if hold.resource in holders:
            holders[hold.resource].add(hold.holder)
    return {pool: frozenset(ones) for pool, ones in holders.items() if len(ones) == known[pool]}


def _asked_again(holders: frozenset[NodeId], earlier: Capture, later: Capture) -> bool:
    """Whether each of *holders* is a task that waits for a peer, and over all connections to that
    which its loop watches something has come since the earlier look, and been sent after that."""
    peers = _peers(holders, later)
    if len(peers) < len(holders):
        return False
    before, now = _watched(earlier), _watched(later)
    return all(_answered(before.get(peer, []), now.get(peer, [])) for peer in peers.values())


def _peers(holders: frozenset[NodeId], capture: Capture) -> Mapping[NodeId, tuple[NodeId, str]]:
    """The thread of the event loop of each that waits so, and where the connection leads to."""
    threads = {
        task.id: thread_id(task.pid, task.loop_tid)
        for task in capture.tasks
        if task.loop_tid is not None and task.id in holders
    }
    beside = {
        one.id: one.ends.remote
        for one in capture.resources
        if one.ends is not None and one.kind is not NodeKind.SOCKET
    }
    return {
        wait.waiter: (threads[wait.waiter], beside[wait.target])
        for wait in capture.waits
        if wait.waiter in threads and wait.target in beside
    }


def _watched(capture: Capture) -> Mapping[tuple[NodeId, str], list[Traffic]]:
    found: dict[tuple[NodeId, str], list[Traffic]] = {}
    for one in capture.watched:
        if one.traffic is not None and one.ends is not None:
            found.setdefault((one.thread, one.ends.remote), []).append(one.traffic)
    return found


def _answered(before: Sequence[Traffic], now: Sequence[Traffic]) -> bool:
    """Whether that is so of all these connections, of which two looks saw the same number."""
    return 0 < len(before) == len(now) and all(
        (was.came or 0) < (seen.came or 0) and seen.sent_last is True
        for was, seen in zip(before, now, strict=True)
    )
