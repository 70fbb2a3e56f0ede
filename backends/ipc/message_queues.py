"""POSIX message queues: senders of a full one wait for those who receive, receivers of an empty one
for those who send. A queue has a name, by which anybody may open it."""

from hangtui.backends.ipc.peer import Sleeper
from hangtui.backends.ipc.pipes import fd_names
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.procfs.syscalls import signed
from hangtui.model import Certainty, NodeKind, clean

_SENDS, _RECEIVES = "mq_timedsend", "mq_timedreceive"
_TIMEOUT = 4
"""The argument of both calls that says until when, or is null."""
_MOST = 256
"""Of the descriptors by which one process has it open."""


def add(scene: Scene, sleeper: Sleeper) -> bool:
    """Add the wait if it is one for a message, or for room for one."""
    call, arguments = sleeper.where.call, sleeper.where.arguments
    if call not in (_SENDS, _RECEIVES):
        return False
    fd = signed(arguments[0])
    link = scene.descriptors.link(sleeper.pid, fd)
    status = scene.descriptors.status(sleeper.pid, fd)
    if link is None or status is None:
        return True
    sends = call == _SENDS
    state, other = ("full", "receiving") if sends else ("empty", "sending")
    ends = _ends(scene, link, status, receiving=sends)
    strangers = {pid: fds for pid, fds in ends.items() if pid != sleeper.pid}
    alone = f"no other process that hangtui may look into has it open for {other}"
    note = None if strangers or not scene.alone(sleeper) else alone
    name = f"POSIX message queue {clean(link)}"
    key = f"{status[2]:#x}/{call}"
    node = scene.resource(NodeKind.PIPE, key, name, sleeper, note)
    text = f"{call}(2) on fd {fd}, {name}, which is {state}"
    expires = arguments[_TIMEOUT] != 0
    scene.wait(sleeper, node, text, "enqueue" if sends else "dequeue", expires=expires)
    for pid, fds in sorted(ends.items()):
        if pid != sleeper.pid or not scene.alone(sleeper):
            # Whoever knows its name may open it.
            has = f"has it open for {other} ({fd_names(fds)})"
            scene.hold_by_process(node, pid, sleeper, has, Certainty.INFERRED)
    return True


def _ends(
    scene: Scene, link: str, status: tuple[int, int, int], *, receiving: bool
) -> dict[int, list[int]]:
    """By process, the descriptors of the same queue by which it could receive, or send."""
    found: dict[int, list[int]] = {}
    for pid, fds in scene.descriptors.holders(link).items():
        for fd in fds[:_MOST]:
            info = scene.descriptors.info(pid, fd)
            able = info.reads if receiving else info.writes
            if able and scene.descriptors.status(pid, fd) == status:
                found.setdefault(pid, []).append(fd)
    return found
