"""Waits in a read of an eventfd: whoever has the same one open can write to it. All of them look
alike but for the number that the kernel gives each, eventfd(2)."""

from hangtui.backends.ipc.channel_calls import Access, Demand
from hangtui.backends.ipc.peer import Sleeper
from hangtui.backends.ipc.pipes import Ends, fd_names, may_wake_itself
from hangtui.backends.ipc.scene import Scene
from hangtui.model import Certainty, NodeKind

_LINK = "anon_inode:[eventfd]"
_NUMBER = "eventfd-id"
"""In ``/proc/PID/fdinfo/FD``, since Linux 5.2."""
_PLAIN_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random", "/dev/pts/", "/dev/shm/")
"""What has no driver that would write to an eventfd."""
_MOST_LOOKED_AT = 256
"""Of those that one process has open."""


def add(scene: Scene, sleeper: Sleeper, demand: Demand, link: str) -> bool:
    """Add the wait if *link* is an eventfd that is read: who polls one is an event loop, or ZeroMQ,
    which its own threads wake."""
    if link != _LINK or demand.access is not Access.READ or demand.polled:
        return False
    number = _number(scene, sleeper.pid, demand.fd)
    if number is None:
        return False
    name = f"eventfd {number}"
    ends = _ends(scene, number)
    alone = set(ends) <= {sleeper.pid}
    note = "no other process that hangtui may look into has it open" if alone else None
    node = scene.resource(NodeKind.PIPE, f"eventfd/{number}", name, sleeper, note)
    text = f"{demand.said}, the {name}, to which nobody has written since it was read"
    scene.wait(sleeper, node, text, "eventfd")
    weakest = scene.complete()
    # A driver, or io_uring, may write to one that no process has open.
    if alone and not may_wake_itself(scene, sleeper):
        text = f"has it open ({fd_names(ends.get(sleeper.pid, (demand.fd,)))})"
        sure = Certainty.INFERRED
        if weakest.supports_claim and not is_driven(scene, sleeper.pid):
            sure = Certainty.PROVEN
        scene.hold_by_own_process(node, sleeper, text, idling=True, sure=sure)
    for pid, fds in sorted(ends.items() if not alone else ()):
        text = f"has the same eventfd open ({fd_names(fds)})"
        scene.hold_by_process(node, pid, sleeper, text, Certainty.INFERRED)
    return True


def is_driven(scene: Scene, pid: int) -> bool:
    """Whether a driver, or io_uring, may write to an eventfd of a process."""
    names = scene.descriptors.names(pid)
    return names is None or any(map(_drives, names))


def _drives(link: str) -> bool:
    device = link.startswith("/dev/") and not link.startswith(_PLAIN_DEVICES)
    return device or link in ("anon_inode:[io_uring]", "anon_inode:[aio]")


def ends_of(scene: Scene, pid: int, fd: int) -> Ends:
    """Who has the same eventfd open as a process; empty: that cannot be seen."""
    number = _number(scene, pid, fd)
    return {} if number is None else _ends(scene, number)


def _ends(scene: Scene, number: str) -> Ends:
    """Who has the eventfd of this number open."""
    found: Ends = {}
    for pid, fds in scene.descriptors.holders(_LINK).items():
        looked = fds[:_MOST_LOOKED_AT]
        same = tuple(fd for fd in looked if _number(scene, pid, fd) == number)
        if same:
            found[pid] = same
        elif len(fds) > _MOST_LOOKED_AT:
            scene.descriptors.uncounted.add(pid)
    return found


def _number(scene: Scene, pid: int, fd: int) -> str | None:
    values = scene.descriptors.info(pid, fd).values(_NUMBER)
    return values[0] if values and values[0].isdigit() else None
