"""Tasks and greenlets that wait for what a child process says, or for it to read, over a pipe."""

from collections.abc import Iterator

from hangtui.backends.ipc import pipes
from hangtui.backends.ipc.channel_calls import Access
from hangtui.backends.ipc.peer import Peer, Sleeper, TaskStream
from hangtui.backends.ipc.scene import Scene

_MOST = 100
"""Waits of one process that are followed."""
_TIMED = " left)"
"""How it ends what somebody awaits that the clock ends, too."""
_ACCESS = {"receive": Access.READ, "end": Access.READ, "send": Access.WRITE}


def add(scene: Scene) -> None:
    """Add these waits, and who has the other ends of their pipes."""
    for peer in scene.peers.values():
        _add_of(scene, peer)


def _add_of(scene: Scene, peer: Peer) -> None:
    streams = (one for one in peer.streams()[:_MOST] if not one.beside)
    for stream in (*streams, *_waiting(scene, peer)):
        asleep = peer.asleep.get(stream.tid)
        link = scene.descriptors.link(peer.pid, stream.fd)
        access = _ACCESS.get(stream.operation)
        if asleep is not None and link is not None and access is not None:
            pipes.add_of_task(scene, Sleeper(peer, stream.tid, asleep), stream, access, link)


def _waiting(scene: Scene, peer: Peer) -> Iterator[TaskStream]:
    """Greenlets and tasks of trio that wait until a file descriptor is ready."""
    for task in scene.facts.tasks if peer.descriptors else ():
        fd = peer.descriptors.get(task.id)
        if fd is not None and task.loop_tid is not None and task.awaits:
            reads = scene.descriptors.info(peer.pid, fd).reads
            operation = "receive" if reads else "send"
            timed = task.awaits.endswith(_TIMED)
            yield TaskStream(task.id, task.loop_tid, fd, operation, timed, task.awaits, None)
