"""Sockets both ends of which a process has itself: what wakes up its event loop is such a pair."""

from hangtui.backends.ipc import attention, pipes
from hangtui.backends.ipc.channel_calls import Demand
from hangtui.backends.ipc.peer import Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.ipc.socket_links import link_of


def wakes_hub(scene: Scene, sleeper: Sleeper, demand: Demand, inode: int | None) -> bool:
    """Whether it is the thread of a loop that counts no connection, and the socket with this
    *inode*, the other end, is open in its process alone: what wakes up eventlet's hub is a TCP
    connection of the process with itself."""
    loops = scene.facts.event_loops
    own = [one for one in loops if (one.pid, one.tid) == (sleeper.pid, sleeper.tid)]
    if not inode or not demand.polled or [one.watched for one in own] != [0]:
        return False
    return set(scene.descriptors.holders(link_of(inode))) == {sleeper.pid}


def wakes(scene: Scene, sleeper: Sleeper, demand: Demand, inode: int | None) -> bool:
    """Whether one of its threads, or a signal handler, may write to the other end, the socket
    with this *inode*, to wake up who waits here, and nobody waits there for what comes back."""
    if not demand.polled or pipes.never_wakes(scene, sleeper, demand):
        return False
    return not answered(scene, sleeper, inode)


def answered(scene: Scene, sleeper: Sleeper, inode: int | None) -> bool:
    """Whether another of its threads waits for data at the other end."""
    holders = scene.descriptors.holders(link_of(inode)) if inode else {}
    return attention.read_by_others(scene, sleeper, holders.get(sleeper.pid, ()))


def name_of_pair(
    scene: Scene, sleeper: Sleeper, demand: Demand, *, wakes_up: bool
) -> tuple[str, str | None]:
    """What a person calls one, and what is known of its ends; *wakes_up*: as `wakes` has it."""
    kind = "wake-up socket" if wakes_up else "socket pair"
    name = f"{kind} within process {sleeper.pid}"
    loops = scene.facts.event_loops
    if demand.polled and any((one.pid, one.tid) == (sleeper.pid, sleeper.tid) for one in loops):
        return "event loop's own wake-up socket", None
    return name, f"process {sleeper.pid} has both of its ends"
