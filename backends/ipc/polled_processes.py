"""Threads that ask again and again whether a process is still there, which has ended: only its
parent can collect it.

Which thread does so its process's frames say (`peer.PolledProcess`). Of one that lives the kernel
knows the wait: who asks for that has a descriptor of it.
"""

import os

from hangtui.backends.ipc import relatives
from hangtui.backends.ipc.peer import Peer, PolledProcess, Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.procfs import life
from hangtui.model import Certainty, Evidence, Source, Wait, thread_id

_MOST_POLLED = 100


def add(scene: Scene) -> None:
    """Add the waits for processes that have ended, and their parents."""
    waiting = {wait.waiter for wait in scene.facts.waits}
    for peer in scene.peers.values():
        for polled in peer.polled_processes()[:_MOST_POLLED]:
            if thread_id(peer.pid, polled.tid) not in waiting:
                _add(scene, peer, polled)


def _add(scene: Scene, peer: Peer, polled: PolledProcess) -> None:
    here = relatives.same_namespace(peer.pid, os.getpid())
    parent = relatives.parent(polled.number) if here else None
    if not parent or not life.ended(polled.number):
        return
    sleeper = Sleeper(peer, polled.tid, peer.asleep[polled.tid])
    node = scene.process(polled.number)
    text = f"it asks again and again whether {scene.name(polled.number)} is still there"
    evidence = Evidence(Source.CPYTHON, Certainty.INFERRED, text, sleeper.place)
    scene.facts.waits.append(Wait(sleeper.node, node, evidence, polled.expires, "gone"))
    scene.hold_by_process(node, parent, sleeper, "is its parent, and has not collected it")
