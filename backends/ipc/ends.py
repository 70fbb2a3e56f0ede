"""A process that is waited for ends with its main thread: the way on from an awaited process.

Other threads can end a process as well (``os._exit``), and rarely do. Only if none of them can go
on either is it proven that the end has to wait for the main thread.
"""

from hangtui.backends.ipc.peer import Peer
from hangtui.backends.ipc.scene import Scene
from hangtui.model import Certainty, NodeId, largest_stuck, process_id, thread_id


def add(scene: Scene) -> None:
    """Add for every awaited captured process that its end is in the hands of its main thread."""
    awaited = {wait.target for wait in scene.facts.waits}
    peers = [peer for peer in scene.peers.values() if process_id(peer.pid) in awaited]
    if not peers:
        return
    mains = {process_id(p.pid): thread_id(p.pid, p.pid) for p in scene.peers.values()}
    blocked = _blocked(scene, mains)
    for peer in peers:
        others = {thread_id(peer.pid, tid) for tid in scene.able(peer) if tid != peer.pid}
        free = len(others - blocked)
        text = "a process ends when its main thread does"
        if free:
            text += f"; but {free} of its other threads can run, and could end it as well"
        certainty = Certainty.INFERRED if free else Certainty.PROVEN
        node = process_id(peer.pid)
        if not free:
            scene.premises.ending[node] = peer.pid
        scene.hold(node, mains[node], certainty, text)


def _blocked(scene: Scene, mains: dict[NodeId, NodeId]) -> set[NodeId]:
    """The nodes that, as far as is known by now, nothing sets going.

    Waiters of the GIL count as blocked: its holder is judged itself.
    """
    ways: dict[NodeId, set[NodeId]] = {process: {main} for process, main in mains.items()}
    expiring = set()
    for wait in scene.facts.waits:
        ways.setdefault(wait.waiter, set()).add(wait.target)
        if wait.expires:
            expiring.add(wait.waiter)
    for hold in scene.facts.holds:
        ways.setdefault(hold.resource, set()).add(hold.holder)
        if hold.evidence.certainty is Certainty.UNKNOWN:
            expiring.add(hold.resource)
    resting = {node for peer in scene.peers.values() for node in _resting(scene, peer)}
    lasting = ways.keys() - expiring
    return largest_stuck({node: ways[node] for node in lasting}, resting)


def _resting(scene: Scene, peer: Peer) -> set[NodeId]:
    """Threads that only others of their process can set going."""
    able = set(scene.able(peer)) - peer.gil_waiters
    return {thread_id(peer.pid, t.tid) for t in peer.process.threads if t.tid not in able}
