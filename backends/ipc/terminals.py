"""Programs that type to each other: a reader of a terminal waits for the Python program that has
the terminal's other end, and that one for those who write to the terminal.

Where anything else has the other end (a terminal emulator, tmux, sshd), a person types, of whom the
kernel knows nothing: such waits are left to those who ask what a program waits to have typed.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from hangtui.backends.ipc import attention, relatives
from hangtui.backends.ipc.channel_calls import Access, Demand
from hangtui.backends.ipc.descriptors import Descriptors
from hangtui.backends.ipc.peer import Sleeper
from hangtui.backends.ipc.pipes import fd_names, may_wake_itself
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.process import discovery
from hangtui.backends.procfs import life
from hangtui.backends.procfs.files import PROC, link
from hangtui.model import Certainty, NodeKind

_TERMINAL = re.compile(r"/dev/pts/(\d{1,9})")
_MULTIPLEXERS = ("/dev/ptmx", "/dev/pts/ptmx")
"""What the other ends of all terminals were opened as, pts(4)."""
_MOST_LOOKED_AT = 256
"""Other ends of terminals that one process has open."""

Ends = Mapping[int, Sequence[int]]
"""By PID: the descriptors of one end."""


def add(scene: Scene, sleeper: Sleeper, demand: Demand, opened: str) -> bool:
    """Add the wait if *opened* is an end of a terminal that programs, not people, talk through."""
    if demand.access is not Access.READ:
        return _add_writing(scene, sleeper, demand, opened)
    if opened in _MULTIPLEXERS:
        index = _index(scene.descriptors, sleeper.pid, demand.fd)
        own, other = "the program's end", "it open as its terminal"
        masters = _programs(scene, sleeper, index)
        ends = scene.descriptors.holders(f"/dev/pts/{index}") if masters else {}
    else:
        found = _TERMINAL.fullmatch(opened)
        index = found[1] if found else None
        own, other = "the user's end", "the end that types into it"
        ends = masters = _programs(scene, sleeper, index)
    own_end = set(ends) == {sleeper.pid} and ends is not masters
    within = own_end and not _kept_open(scene, sleeper, demand, masters)
    if not masters or not ends or (set(ends) == {sleeper.pid} and not own_end):
        return False
    terminal = f"/dev/pts/{index}"
    direction = "input" if ends is masters else "output"
    text = f"{demand.said}, {own} of the terminal {terminal}, where there is nothing to read"
    label = f"{direction} of terminal {terminal}"
    note = f"process {sleeper.pid} has both of its ends" if within else None
    node = scene.resource(NodeKind.PIPE, f"{terminal}/{direction}", label, sleeper, note)
    scene.wait(sleeper, node, text, demand.access.value, expires=demand.expires)
    if within:
        return True  # which of its threads or tasks is to write there is not known
    for name in _MULTIPLEXERS if ends is masters else (terminal,):
        scene.premises.saw(node, name, scene.descriptors.holders(name))
    sure = scene.complete()
    if sleeper.pid in ends and relatives.catches_signals(sleeper.pid):
        sure = Certainty.INFERRED  # one of its handlers may write to its own terminal
    if own_end:
        fds = fd_names(ends[sleeper.pid])
        text = f"has {other} ({fds}), nobody else has, and a child of it has ended"
        certainty = Certainty.INFERRED  # somebody else could open it by its name
        scene.hold_by_own_process(node, sleeper, text, idling=True, sure=certainty)
        return True
    for pid, open_ in sorted(ends.items()):
        scene.hold_by_process(node, pid, sleeper, f"has {other} ({fd_names(open_)})", sure)
    return True


def _kept_open(scene: Scene, sleeper: Sleeper, demand: Demand, masters: Ends) -> bool:
    """Whether the wait is for the end of what a child has written, that has ended: it does not come
    as long as the reader itself has the user's end open."""
    if demand.polled or set(masters) != {sleeper.pid} or may_wake_itself(scene, sleeper):
        return False
    return any(life.ended(pid) for pid in relatives.children(sleeper.pid))


def _add_writing(scene: Scene, sleeper: Sleeper, demand: Demand, opened: str) -> bool:
    """Add the wait of a program that writes to a terminal, which takes no more before the program
    at its other end reads some of it."""
    found = _TERMINAL.fullmatch(opened)
    if opened in _MULTIPLEXERS:
        index = _index(scene.descriptors, sleeper.pid, demand.fd)
        masters = _programs(scene, sleeper, index)
        ends = scene.descriptors.holders(f"/dev/pts/{index}") if masters else {}
        own, other, direction = "the program's end", "it open as its terminal", "input"
    else:
        index = found[1] if found else None
        ends = masters = _programs(scene, sleeper, index)
        own, other, direction = "the user's end", "the end from which it is read", "output"
    others = {pid: fds for pid, fds in ends.items() if pid != sleeper.pid}
    if demand.edge or not others:
        return False
    # Its own process may have the other end, too: inherited over a fork, say.
    alone = scene.alone(sleeper) and not relatives.catches_signals(sleeper.pid)
    if len(others) < len(ends) and not alone:
        return False
    if attention.reads(scene, ends):
        return False  # its output is not full, but stopped (Ctrl-S): no reader could end that
    terminal = f"/dev/pts/{index}"
    text = f"{demand.said}, {own} of the terminal {terminal}, which takes no more {direction}"
    label = f"{direction} of terminal {terminal}"
    node = scene.resource(NodeKind.PIPE, f"{terminal}/{direction}/write", label, sleeper)
    scene.wait(sleeper, node, text, demand.access.value, expires=demand.expires)
    for name in _MULTIPLEXERS if ends is masters else (terminal,):
        scene.premises.saw(node, name, scene.descriptors.holders(name))
    sure = scene.complete()
    for pid, fds in sorted(others.items()):
        scene.hold_by_process(node, pid, sleeper, f"has {other} ({fd_names(fds)})", sure)
    if attention.unread(scene, ends):
        resources = scene.facts.resources
        resources[node] = replace(resources[node], unread=True)
    return True


def _programs(scene: Scene, sleeper: Sleeper, index: str | None) -> Ends:
    """Who types to a terminal, if these are Python programs; nobody otherwise."""
    if index is None:
        return {}
    room = _mounts(sleeper.pid)  # another one may have another terminal of this number
    found: dict[int, list[int]] = {}
    for name in _MULTIPLEXERS:
        for pid, fds in scene.descriptors.holders(name).items():
            looked = fds[:_MOST_LOOKED_AT]
            mine = [fd for fd in looked if _index(scene.descriptors, pid, fd) == index]
            if mine and _mounts(pid) == room:
                found.setdefault(pid, []).extend(mine)
    return found if all(map(discovery.is_named_python, found)) else {}


def _index(descriptors: Descriptors, pid: int, fd: int) -> str | None:
    """The number of the terminal whose other end a descriptor is."""
    return next(iter(descriptors.info(pid, fd).values("tty-index")), None)


def _mounts(pid: int) -> str | None:
    return link(PROC / str(pid) / "ns" / "mnt")
