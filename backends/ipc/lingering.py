"""Who closes a TCP connection with SO_LINGER waits in close(2) until the other side has taken what
was sent; the descriptor is gone by then, so which connection it is follows from who has the others
open."""

from hangtui.backends.ipc.channel_calls import Access, Demand
from hangtui.backends.ipc.peer import Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.ipc.socket_links import link_of
from hangtui.backends.ipc.socket_words import tcp_note
from hangtui.backends.ipc.sockets import Sockets
from hangtui.backends.procfs.syscalls import signed
from hangtui.model import Certainty, Evidence, NodeKind, Source, Wait

_CLOSE = "close"


def add(scene: Scene, sockets: Sockets, sleeper: Sleeper) -> bool:
    """Add the wait of a thread in close(2), if one connection alone can be what it closes."""
    if sleeper.where.call != _CLOSE:
        return False
    table = sockets.table(sleeper.pid)
    closing = (one for one in table.closing() if not scene.descriptors.holders(link_of(one.inode)))
    found = list(closing)
    if len(found) != 1:
        return False
    (tcp,) = found
    node = scene.resource(
        NodeKind.SOCKET,
        f"{tcp.inode:#x}",
        tcp.ends.name,
        sleeper,
        tcp_note(tcp, table.other_end(tcp), whole=table.whole),
        ends=tcp.ends,
    )
    fd = signed(sleeper.where.arguments[0])
    text = (
        f"close(2) on fd {fd}; the TCP connection from {tcp.local} to {tcp.remote} is the only one "
        f"that is being closed ({tcp.state_name}) and that no process has open any more"
    )
    evidence = Evidence(Source.PROCFS, Certainty.INFERRED, text, sleeper.place)
    scene.facts.waits.append(Wait(sleeper.node, node, evidence, True, "linger"))
    sockets.hold_by_other_end(sleeper, Demand(fd, Access.WRITE, _CLOSE), node, tcp)
    return True
