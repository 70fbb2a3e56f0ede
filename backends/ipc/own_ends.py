"""Both ends of a connection in one process: which of its threads has the other end in hand.

All of its threads could use it, as all that is open is everybody's. But a thread whose frames do
not lead to the socket hardly will: that a ring leads through the others is possible, not proven.
"""

from collections.abc import Sequence

from hangtui.backends.ipc import attention
from hangtui.backends.ipc.channel_calls import Access
from hangtui.backends.ipc.peer import Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.model import Certainty, NodeId, thread_id

_MOST = 8
"""Threads that are named."""


def hold(
    scene: Scene, sleeper: Sleeper, node: NodeId, fds: Sequence[int], access: Access, text: str
) -> bool:
    """Add those of the waiting thread's own process; *access*: what it wants of its end.

    False: somebody is at the other end now, who refers to it is not known, or nobody who could act
    is left out by that.
    """
    peer = sleeper.peer
    wanted = Access.READ if access is Access.WRITE else Access.WRITE
    if peer.socket_users is None or not attention.ignores(scene, peer, fds, wanted):
        return False
    able = set(scene.able(peer)) - {sleeper.tid}
    users = peer.socket_users(fds, able)
    if users is None or able <= users:
        return False
    listed = {thread.tid for thread in peer.process.threads}
    chosen = sorted(users & listed - {sleeper.tid})
    text = f"{scene.name(peer.pid)} {text}; of its other threads only these refer to it"
    for tid in chosen[:_MOST]:
        scene.hold(node, thread_id(peer.pid, tid), Certainty.INFERRED, text)
    return bool(chosen)
