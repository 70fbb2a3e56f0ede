"""Connections that a thread asks about in poll or select, and reads through an object that decrypts
what came: what that has decrypted already is not in the socket any more."""

from dataclasses import replace

from hangtui.backends.ipc.channel_calls import Access, Demand
from hangtui.backends.ipc.peer import Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.model import NodeId


def mark(scene: Scene, sleeper: Sleeper, demand: Demand, node: NodeId) -> None:
    """Say so of *node*, the connection that the thread waits for."""
    asks = demand.polled and demand.access is Access.READ and demand.choices <= 1
    if asks and sleeper.peer.decrypts(demand.fd, sleeper.tid):
        known = scene.facts.resources
        known[node] = replace(known[node], decrypted_by_reader=True)
