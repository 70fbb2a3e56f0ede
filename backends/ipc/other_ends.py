"""Who has the other end of a socket that somebody waits on, or has yet to accept the connection."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from hangtui.backends.ipc import attention, own_ends, pipes, relatives
from hangtui.backends.ipc.channel_calls import Access, Demand
from hangtui.backends.ipc.peer import Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.ipc.socket_links import link_of
from hangtui.model import Certainty, NodeId


def hold(
    scene: Scene,
    sleeper: Sleeper,
    demand: Demand,
    node: NodeId,
    inodes: Iterable[int],
    *,
    accepted: bool = True,
    pair: bool = True,
) -> None:
    """Add the processes that have the other end open, or that have yet to accept it.

    *inodes*: of the sockets at the other end; of those that listen there, if it is not *accepted*.
    *pair*: it may be one that a process has made to wake itself up.
    """
    holders: dict[int, list[int]] = {}
    for link in map(link_of, inodes):
        found = scene.descriptors.holders(link)
        scene.premises.saw(node, link, found)
        for pid, fds in found.items():
            holders.setdefault(pid, []).extend(fds)
    idle = set() if accepted else _supervisors(scene, holders)
    for pid in idle:
        del holders[pid]
    to_itself = set(holders) == {sleeper.pid}
    # A pair of its own is what event loops keep for other threads and signal handlers.
    pair = pair or demand.choices > 1
    wakes = demand.polled and pair and not pipes.never_wakes(scene, sleeper, demand)
    if accepted and wakes and sleeper.pid in holders:
        return
    if accepted and pair and to_itself and pipes.may_wake_itself(scene, sleeper):
        return
    if not accepted:
        known = scene.facts.resources
        known[node] = replace(known[node], unaccepted=True)
    weakest = scene.complete()
    for pid, fds in sorted(holders.items()):
        names = pipes.fd_names(fds)
        text = f"has the other end open ({names})"
        if not accepted:
            text = f"listens there ({names}) and has not accepted the connection"
        if not to_itself:
            sure = Certainty.INFERRED if idle else weakest
            scene.hold_by_process(node, pid, sleeper, text + _left_to(idle), sure)
        else:
            _hold_own(scene, sleeper, demand, node, fds, text, idle if not accepted else None)
    scene.add_unflushed(node, holders if accepted and demand.access is Access.READ else {})
    own_ends.name_answering(scene, sleeper, holders if accepted else {})


def _hold_own(
    scene: Scene,
    sleeper: Sleeper,
    demand: Demand,
    node: NodeId,
    fds: Sequence[int],
    text: str,
    idle: Collection[int] | None,
) -> None:
    """Add those of the waiting thread's own process, which alone has the other end open.

    *idle*: it has yet to accept the connection, and these listen there and look elsewhere.
    """
    if idle is None:
        if not own_ends.hold(scene, sleeper, node, fds, demand.access, text):
            sure = Certainty.PROVEN
            scene.hold_by_own_process(node, sleeper, text, idling=True, sure=sure)
        return
    # What nobody has accepted is answered by nobody, however idle they are.
    sure = Certainty.PROVEN if scene.alone(sleeper) and not idle else Certainty.INFERRED
    if not own_ends.hold_unaccepted(scene, sleeper, node, fds, text, sure):
        text += _left_to(idle)
        scene.hold_by_own_process(node, sleeper, text, idling=False, sure=sure)


def _supervisors(scene: Scene, holders: Mapping[int, Sequence[int]]) -> set[int]:
    """Those among the *holders* of a listener that leave it to processes that they forked:
    who waits for other things, and has children among the others. Who waits until one of these has
    ended may serve itself then, if none of them attends to it: each serves what it was forked for.
    """
    parents = {relatives.parent(pid) for pid in holders}
    elsewhere = (pid for pid in holders if pid in parents)
    found = {pid for pid in elsewhere if attention.looks_elsewhere(scene, pid, holders[pid])}
    children = [scene.peers.get(pid) for pid in holders if pid not in found]
    if all(one is not None and attention.ignores(scene, one, holders[one.pid]) for one in children):
        found = {pid for pid in found if not attention.awaits_children(scene, pid)}
    return found


def _left_to(idle: Collection[int]) -> str:
    """That supervisors have a listener open as well."""
    if not idle:
        return ""
    names = ", ".join(f"process {pid}" for pid in sorted(idle))
    return f"; {names}, from which it was inherited, does not ask for connections"
