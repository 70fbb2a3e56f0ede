"""Which threads have the other end of a connection in hand, in the own process or in another.

All threads of a process could use it, as all that is open is everybody's. But a thread whose frames
do not lead to the socket hardly will: that a ring leads through the others is possible, not proven.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hangtui.backends.ipc import attention
from hangtui.backends.ipc.channel_calls import Access
from hangtui.backends.ipc.peer import Peer, Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.model import Certainty, LoopState, NodeId, thread_id

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
    if _hold_by_tasks(scene, peer, node, fds, text):
        return True
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


def _hold_by_tasks(scene: Scene, peer: Peer, node: NodeId, fds: Sequence[int], text: str) -> bool:
    """Add those of its tasks that have the other end in hand, of event loops that nothing keeps
    from running them. False: there are none."""
    idle = {
        one.tid
        for one in scene.facts.event_loops
        if one.pid == peer.pid and one.state is LoopState.IDLE
    }
    if not idle:
        return False
    users = peer.stream_users(fds)
    tasks = [one for one in scene.facts.tasks if one.id in users and one.loop_tid in idle]
    text = f"{scene.name(peer.pid)} {text}; of its tasks only these refer to it"
    for task in tasks[:_MOST]:
        scene.hold(node, task.id, Certainty.INFERRED, text)
    return bool(tasks)


def hold_unaccepted(
    scene: Scene, sleeper: Sleeper, node: NodeId, fds: Sequence[int], text: str, sure: Certainty
) -> bool:
    """Add those of the waiting thread's own process that have the listener in hand which has yet to
    accept the connection, or the event loop that does: the waiting thread itself, if it waits in
    what its server or its loop has called. False: who that is is not known.

    *sure*: how sure it is that nobody else can come to accept it.
    """
    peer = sleeper.peer
    if peer.socket_users is None:
        return False
    users = peer.socket_users([*fds, *attention.loops_of(scene, peer.pid, fds)], ())
    chosen = sorted((users or set()) & {thread.tid for thread in peer.process.threads})
    if not chosen or len(chosen) > _MOST:
        return False
    which = "only this one has" if len(chosen) == 1 else "only these have"
    text = f"{scene.name(peer.pid)} {text}; of its threads {which} the listener in hand"
    for tid in chosen:
        scene.hold(node, thread_id(peer.pid, tid), sure, text)
    return True


def hold_in_hand(
    scene: Scene, sleeper: Sleeper, node: NodeId, pid: int, fds: Sequence[int], text: str
) -> bool:
    """Add those threads or tasks of another captured process that have its end in hand. False: who
    that is is not known, or nobody who could act is left out by that."""
    peer = scene.peers.get(pid)
    if peer is None or peer.pipe_users is None or pid == sleeper.pid:
        return False
    if _hold_by_tasks(scene, peer, node, fds, text):
        return True
    if len(peer.process.threads) == 1 or not attention.ignores(scene, peer, fds):
        return False
    able = set(scene.able(peer))
    users = peer.pipe_users(fds, able)
    listed = {thread.tid for thread in peer.process.threads}
    if not users or able <= users or not users <= listed or len(users) > _MOST:
        return False
    text = f"{scene.name(pid)} {text}; of its threads only these refer to it"
    for tid in sorted(users):
        scene.hold(node, thread_id(pid, tid), Certainty.INFERRED, text)
    return True


def name_answering(scene: Scene, sleeper: Sleeper, holders: Mapping[int, Sequence[int]]) -> None:
    """Say of the wait that was added last which threads of another captured process have its other
    end in hand, where there is a choice: what these do is why no answer comes.

    *holders*: the processes that have that end open, with their descriptors.
    """
    wait = scene.facts.waits[-1]
    for pid, fds in holders.items() if len(holders) == 1 else ():
        peer = scene.peers.get(pid)
        if peer is None or pid == sleeper.pid or peer.socket_users is None:
            return
        threads = [thread.tid for thread in peer.process.threads]
        users = peer.socket_users(fds, ()) if len(threads) > 1 else None
        chosen = tuple(thread_id(pid, tid) for tid in threads if tid in (users or ()))
        if wait.waiter == sleeper.node and 0 < len(chosen) <= _MOST:
            scene.facts.waits[-1] = replace(wait, answering=chosen)
