"""Pools of actors that lack some: who has ended, who is on the way, and what waits for them."""

from collections.abc import Iterable

from hangtui.findings.english import counted, joined
from hangtui.findings.words import Words
from hangtui.model import ActorPool, NodeId, Pid


def told_pools(pid: Pid, words: Words) -> str:
    """`` Of the pool of MapWorker(Scorer) 1 actor has ended, 1 is being started, and 5 blocks wait
    for one.``, of those pools of a process that have work and nobody to give it to."""
    pools = (one for one in words.capture.actor_pools if one.pid == pid)
    return "".join(_told(pool) for pool in pools if _is_empty(pool))


def _is_empty(pool: ActorPool) -> bool:
    return bool(pool.queued and not pool.alive and pool.coming)


def told_lying(waiters: Iterable[NodeId], words: Words) -> str:
    """`` 1 more piece of work lies in the ActorPool of MainThread of process 7: that gives ...``,
    of pools from which *waiters* take results."""
    known = set(waiters)
    told = ""
    for pool in words.capture.actor_pools:
        if not pool.by_taking or not pool.queued or known.isdisjoint(pool.waiters):
            continue
        lie = "piece of work lies" if pool.queued == 1 else "pieces of work lie"
        told += (
            f" {pool.queued} more {lie} in the {pool.name} of {words.name(pool.waiters[0])}: that "
            "gives one to an actor only once it has got the result of another one."
        )
    return told


def _told(pool: ActorPool) -> str:
    coming = f"{pool.coming} {'is' if pool.coming == 1 else 'are'} being started, or started anew"
    ended = len(pool.ended)
    parts = [f"{ended} {'has' if ended == 1 else 'have'} ended"] if ended else []
    blocks = f"{counted(pool.queued, 'block')} {'waits' if pool.queued == 1 else 'wait'}"
    return f" Of the actors of {pool.name} {joined([*parts, coming])}, and {blocks} for one."
