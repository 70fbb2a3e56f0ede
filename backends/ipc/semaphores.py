"""Who holds the locks of ``multiprocessing`` that threads of any process wait for.

The lock is a POSIX semaphore in shared memory, which records nobody. But every process counts how
often it took the lock and gave it back, and knows which of its threads took it last. An ``RLock``
can only be given back where it was taken, so that this is a record of its owner. A ``Lock`` can be
given back by any process; that its taker still has it is proven by the ``with`` it is inside of.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hangtui.backends.ipc import relatives
from hangtui.backends.ipc.peer import Peer, SharedLock
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.ipc.sharers import all_seen, shared_identity, sharers
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.dataclass import dataclass
from hangtui.model import (
    Certainty,
    Evidence,
    Hold,
    NodeId,
    NodeKind,
    NoHolder,
    Resource,
    Source,
    clean,
    thread_id,
)

_KINDS = {NodeKind.LOCK, NodeKind.RLOCK, NodeKind.SEMAPHORE}
_UNKNOWN = "no captured process that shares it has it"
_ORPHANED = (
    "all processes that share it are captured, and none of them has it: whoever took it has ended"
)
_ALONE = "no other process shares it"
_NOBODY = "a semaphore has no owner: any process may release it"


@dataclass(frozen=True, slots=True)
class _Share:
    """One process's part in a lock."""

    peer: Peer
    lock: SharedLock


def add(scene: Scene) -> None:
    """Add the holders of all awaited locks and semaphores in shared memory."""
    awaited = {wait.target for wait in scene.facts.waits}
    nodes = [node for node in awaited if _identity(node, scene) is not None]
    if not nodes:
        return
    families = {pid: _family(pid) for pid in scene.peers}
    shares: dict[str, list[_Share]] = {}
    for peer in scene.peers.values():
        for lock in _known(scene, peer):
            shared = shared_identity(peer.memory, lock.word)
            if shared:
                shares.setdefault(shared, []).append(_Share(peer, lock))
    identities = {node: _identity(node, scene) or "" for node in sorted(nodes)}
    # To look for those that share it takes a while: not for what is free, or unknown to Python.
    taken = [one for one, known in shares.items() if not any(share.lock.free for share in known)]
    sharing = sharers(set(taken) & set(identities.values()))
    for node, identity in identities.items():
        known = shares.get(identity, [])
        captured = {share.peer.pid for share in known}
        others = (sharing.get(identity, set()) | scene.hidden_relatives) - captured
        _add_holders(scene, scene.facts.resources[node], known, sorted(others))
        everyone = captured | set(others)
        if identity in sharing and len(everyone) > 1:
            known_all = everyone <= families.keys()
            if not known_all or _nobody_came(identity, everyone, families):
                resource = scene.facts.resources[node]
                shared_by = tuple(sorted(everyone))
                scene.facts.resources[node] = replace(resource, sharers=shared_by)
        ended = scene.facts.resources[node].no_holder in (NoHolder.TAKER_ENDED, NoHolder.ALONE)
        if ended and not _nobody_came(identity, captured, families):
            resource = scene.facts.resources[node]
            scene.facts.resources[node] = replace(resource, note=_UNKNOWN, no_holder=None)


def _family(pid: int) -> tuple[frozenset[int], int | None]:
    """The children of a process, and a count of those whose end it has fetched."""
    return frozenset(relatives.children(pid)), relatives.reaped(pid)


def _nobody_came(
    identity: str,
    captured: set[int],
    families: Mapping[int, tuple[frozenset[int], int | None]],
) -> bool:
    """Whether nobody can have shared a lock, had it and ended, unseen, since the looks began.

    A lock of multiprocessing has no name: only children of those who share it get at it. So it is
    looked for those that share it once more, and for children that came or went meanwhile.
    """
    if sharers([identity])[identity] - captured:
        return False
    now = {pid: _family(pid) for pid in captured}
    return all(now[pid] == families[pid] and now[pid][1] is not None for pid in captured)


def _known(scene: Scene, peer: Peer) -> Sequence[SharedLock]:
    try:
        with foreign_data():
            return peer.shared_locks()
    except (LookupError, DamagedDataError) as error:
        message = f"the locks that it shares with others cannot be followed: {clean(str(error))}"
        scene.notice(message, pid=peer.pid)
        return ()


def _identity(node: NodeId, scene: Scene) -> str | None:
    """What tells the shared word from others, if *node* is a lock or semaphore made of one."""
    resource = scene.facts.resources.get(node)
    known = resource is not None and resource.kind in _KINDS
    return node.name if known and node.shared else None


def _add_holders(scene: Scene, resource: Resource, shares: list[_Share], others: list[int]) -> None:
    """*others*: who shares it as well, and is not known to know it."""
    note, no_holder = resource.note or _NOBODY, None
    named = any(share.lock.named for share in shares)
    only = not others and len({share.peer.pid for share in shares}) == 1
    alone = only and (not named or all_seen())
    if shares and not any(share.lock.free for share in shares):
        if resource.kind is NodeKind.SEMAPHORE:
            holds = list(_units(resource, shares, others))
        else:
            holds, note = list(_owner(resource, shares, others)), _UNKNOWN
        scene.facts.holds += holds
        if holds:
            sharers = (shares[0].peer.pid,) if alone else resource.sharers
            scene.facts.resources[resource.id] = replace(resource, sharers=sharers)
            return
        if resource.kind is not NodeKind.SEMAPHORE and _taken_by_nobody(scene, shares, others):
            note, no_holder = _ORPHANED, NoHolder.TAKER_ENDED
        elif alone:
            note, no_holder = _ALONE, NoHolder.ALONE
        elif others:
            names = ", ".join(scene.name(pid) for pid in others[:3])
            share, are = ("shares", "is") if len(others) == 1 else ("share", "are")
            note += f"; {names} {share} it, and {are} not seen to use it"
    scene.facts.resources[resource.id] = replace(resource, note=note, no_holder=no_holder)


def _taken_by_nobody(scene: Scene, shares: list[_Share], others: list[int]) -> bool:
    """Whether all counts say so, twice: meanwhile it may go from one process to another."""
    if others or any(share.lock.taken for share in shares):
        return False
    for share in shares:
        share.peer.memory.forget()
        words = {lock.word: lock for lock in _known(scene, share.peer)}
        again = words.get(share.lock.word)
        if again is None or again.free or again.taken:
            return False
    return True


def _owner(resource: Resource, shares: list[_Share], others: list[int]) -> Iterator[Hold]:
    """Of a lock, also a recursive one: the last thread of the only process that has it."""
    for share in shares:
        tid = share.lock.last
        if share.lock.taken <= 0 or tid is None:
            continue
        entered = {one: (where, known) for one, where, known in share.lock.entered}
        where, known = entered.get(tid, (None, Certainty.UNKNOWN))
        text = "its process counts that it took the lock and has not given it back (SemLock.count)"
        text += ", and this thread as the last one that took it (last_tid)"
        doubt = _doubt(resource, share, shares, others, inside=known.supports_claim)
        certainty = Certainty.CERTAIN if resource.kind is NodeKind.RLOCK else Certainty.PROVEN
        certainty = Certainty.INFERRED if doubt else certainty
        yield _hold(resource, share, tid, certainty, text + doubt, where)


def _doubt(
    resource: Resource, share: _Share, shares: list[_Share], others: list[int], *, inside: bool
) -> str:
    """Why a process need not have the lock although it counts so; empty: there is no reason."""
    rivals = [one for one in shares if one is not share and one.lock.taken > 0]
    givers = [one for one in shares if one.lock.taken < 0]
    if rivals:
        return f"; but so does {_names(rivals)}"
    if givers:
        return f"; but {_names(givers)} gives back what others take"
    if others:
        return f"; but process {others[0]} shares the lock, and is not seen to use it"
    if resource.kind is NodeKind.LOCK and not inside:
        return "; but it is not inside `with`, and another process may have given the lock back"
    return ""


def _units(resource: Resource, shares: list[_Share], others: list[int]) -> Iterator[Hold]:
    """Of a semaphore: who is inside ``with``; a proof of who blocks it only if these are all."""
    inside = [
        (share, tid, where)
        for share in shares
        for tid, where, certainty in share.lock.entered
        if certainty.supports_claim
    ]
    units = shares[0].lock.units
    complete = units is not None and len(inside) >= units and not others
    text = "it is inside `with` on the semaphore, which holds a unit"
    certainty = Certainty.PROVEN if complete else Certainty.INFERRED
    for share, tid, where in inside:
        said = text if complete else f"{text}; others may hold more"
        yield _hold(resource, share, tid, certainty, said, where)


def _hold(
    resource: Resource, share: _Share, tid: int, certainty: Certainty, text: str, where: str | None
) -> Hold:
    evidence = Evidence(Source.CPYTHON, certainty, text, where)
    return Hold(resource.id, thread_id(share.peer.pid, tid), evidence)


def _names(shares: list[_Share]) -> str:
    return " and ".join(f"process {share.peer.pid}" for share in shares[:3])
