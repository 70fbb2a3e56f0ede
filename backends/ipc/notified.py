"""Waits for what inotify tells of changes of files: anybody who changes one of them ends that. The
kernel knows the watched files by their numbers."""

from collections.abc import Iterator

from hangtui.backends.ipc.channel_calls import Access, Demand
from hangtui.backends.ipc.peer import Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.model import NodeKind

_LINK = "anon_inode:inotify"
_PAST = "nothing tells it what had changed before"
_NAMED = 3
"""Watched files that are told."""
_CHANGES = {
    0x1: "read", 0x2: "written to", 0x4: "changed attributes", 0x8: "closed after writing",
    0x10: "closed unwritten", 0x20: "opened", 0x40: "moved away", 0x80: "moved in",
    0x100: "created", 0x200: "deleted", 0x400: "itself deleted", 0x800: "itself moved",
}  # fmt: skip
"""linux/inotify.h"""


def add(scene: Scene, sleeper: Sleeper, demand: Demand, link: str) -> bool:
    """Add the wait if *link* is a descriptor of inotify."""
    if link != _LINK or demand.access is not Access.READ:
        return False
    lines = scene.descriptors.info(sleeper.pid, demand.fd).values("inotify wd")
    watches = list(_watches(lines))
    more = f"; {len(watches) - _NAMED} more" if len(watches) > _NAMED else ""
    told = "; ".join(watches[:_NAMED]) + more
    only = "only a change of what inotify watches can, by this or another process"
    note = f"{only}: {told}; {_PAST}" if told else "inotify watches no file, so nothing can"
    count = f"{len(watches)} file{'' if len(watches) == 1 else 's'}"
    key = f"{sleeper.pid}/{demand.fd}/inotify"
    name = f"inotify watch of {count}"
    node = scene.resource(NodeKind.PIPE, key, name, sleeper, note)
    text = f"{demand.said}, inotify: {note}"
    scene.wait(sleeper, node, text, "event", expires=demand.expires)
    return True


def possible(scene: Scene, sleeper: Sleeper, demands: list[Demand]) -> list[Demand]:
    """*demands* without room to write where there never is any: who registers a descriptor for
    poll(2) and does not say for what asks for both."""

    def never(one: Demand) -> bool:
        writes = one.polled and one.access is Access.WRITE
        return writes and scene.descriptors.link(sleeper.pid, one.fd) == _LINK

    return [one for one in demands if not never(one)]


def _watches(lines: list[str]) -> Iterator[str]:
    """Each ``1 ino:2f sdev:800003 mask:100 ...`` in words: proc(5)."""
    for line in lines:
        pairs = (part.partition(":") for part in line.split())
        values = {key: value for key, _, value in pairs if value}
        try:
            inode, device = int(values["ino"], 16), int(values["sdev"], 16)
            mask = int(values["mask"], 16)
        except (KeyError, ValueError):
            continue
        what = [words for bit, words in _CHANGES.items() if mask & bit]
        place = f"inode {inode} of device {device >> 20}:{device & 0xFFFFF}"
        yield f"{place} (find / -inum {inode} names it): {', '.join(what) or 'nothing'}"
