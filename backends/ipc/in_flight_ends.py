"""Who has yet to take the other end of a pipe, which lies in a socket.

An end that was sent to another process over a socket is open in no process until that takes it: so
the reader waits, although nobody has the writing end. ``multiprocessing`` does so with its fork
server, which answers over such a pipe once it has started a process.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from itertools import islice

from hangtui.backends.ipc import relatives
from hangtui.backends.ipc.peer import Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.procfs.files import PROC, raw_cmdline
from hangtui.model import Certainty, NodeId

_STARTED_AS = re.compile(r"from multiprocess(?:ing)?\.forkserver import main\b")
SENT = "was sent its writing end over a socket, and has not taken it"
_SOCKET = "socket:["
_MOST_SOCKETS, _MOST_NEAR = 512, 64
"""Sockets of one process, and processes, that are looked at."""


def fork_server(sleeper: Sleeper) -> int | None:
    """The fork server whose answer a thread waits for; None: it waits for something else, or there
    are several."""
    if not sleeper.peer.asks_fork_server(sleeper.tid):
        return None
    children = relatives.children(sleeper.pid)
    servers = [
        pid for pid in children if _STARTED_AS.search(" ".join(raw_cmdline(PROC / str(pid))))
    ]
    return servers[0] if len(servers) == 1 else None


def hold(scene: Scene, sleeper: Sleeper, node: NodeId, server: int) -> None:
    """Add that the fork server *server* has to answer."""
    scene.hold_by_process(node, server, sleeper, SENT, Certainty.PROVEN)


def untaken(scene: Scene, sleeper: Sleeper) -> Mapping[int, tuple[int, ...]]:
    """Sockets, by process and number, in which descriptors lie that were sent and not taken yet; of
    the process of *sleeper*, its parent, and its and that one's children. Linux tells how many
    (``scm_fds``, net/unix/af_unix.c), and not which ones."""
    own, parent = sleeper.pid, sleeper.peer.process.ppid
    near = dict.fromkeys((own, *relatives.children(own), parent, *relatives.children(parent)))
    found: dict[int, tuple[int, ...]] = {}
    for pid in list(near)[:_MOST_NEAR]:
        opened = (fd for fd, link in scene.descriptors.open_in(pid) if link.startswith(_SOCKET))
        sockets = list(islice(opened, _MOST_SOCKETS))
        if lying := tuple(fd for fd in sockets if _sent(scene, pid, fd)):
            found[pid] = lying
    return found


def _sent(scene: Scene, pid: int, fd: int) -> int:
    with suppress(ValueError):
        return sum(map(int, scene.descriptors.info(pid, fd).values("scm_fds")))
    return 0


def hold_untaken(
    scene: Scene, sleeper: Sleeper, node: NodeId, sockets: Mapping[int, tuple[int, ...]], end: str
) -> None:
    """Add that who has yet to take what was sent may be sent the *end* that nobody has open."""
    for pid, fds in sockets.items():
        if pid != sleeper.pid:
            text = (
                f"may be sent its {end} end: what it has not taken lies in its socket, fd {fds[0]}"
            )
            scene.hold_by_process(node, pid, sleeper, text, Certainty.INFERRED)
