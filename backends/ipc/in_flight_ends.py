"""Who has yet to take the other end of a pipe, which lies in a socket.

An end that was sent to another process over a socket is open in no process until that takes it: so
the reader waits, although nobody has the writing end. ``multiprocessing`` does so with its fork
server, which answers over such a pipe once it has started a process.
"""

import re

from hangtui.backends.ipc import relatives
from hangtui.backends.ipc.peer import Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.procfs.files import PROC, raw_cmdline
from hangtui.model import Certainty, NodeId

_STARTED_AS = re.compile(r"from multiprocess(?:ing)?\.forkserver import main\b")
SENT = "was sent its writing end over a socket, and has not taken it"


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
