"""Ends of TCP connections that lead to processes which are not captured here: on other machines, in
other network namespaces, or left out. Another capture may hold the process at the other end.

The kernel tells of each namespace which addresses it has; that tells equal addresses of different
machines apart. ``boot_id``, the machine's name and the inode of a namespace tell namespaces apart.
"""

import ipaddress
import os
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace

from hangtui.backends.ipc import addresses, pipes
from hangtui.backends.ipc.addresses import Connection, TcpTable
from hangtui.backends.ipc.peer import Peer, Sleeper
from hangtui.backends.ipc.premises import rested
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.ipc.socket_links import inode_of
from hangtui.backends.ipc.sockets import Sockets
from hangtui.backends.ipc.tcp_traffic import traffic_of
from hangtui.backends.procfs.files import PROC, text
from hangtui.model import (
    Meetings,
    Network,
    NodeId,
    NodeKind,
    Process,
    TcpEnd,
    label_of,
    shared_id,
    thread_id,
)

_MOST_OF_ONE, _MOST = 1024, 20_000
"""Ends of one process, and of all: ranks of a job may have one to every other rank."""
_MOST_ABLE, _MOST_USERS = 8, 8
_MOST_LISTED = 1 << 20
"""Bytes of a list of addresses."""
_MOST_ADDRESSES = 256
_LOCAL = re.compile(r"\|-- ([0-9.]{7,15})\n +/32 host LOCAL")


def add(scene: Scene, sockets: Sockets) -> None:
    """Add such ends of all captured processes, and the namespaces that they are in."""
    networks: dict[str, Network] = {}
    for peer in scene.peers.values():
        if len(scene.facts.tcp_ends) >= _MOST:
            scene.notice("there are more TCP connections than are looked at")
            break
        found = list(_ends(scene, sockets, peer))
        if not found:
            continue
        name = addresses.namespace(peer.pid)
        if name not in networks:
            networks[name] = Network(_identity(name), _own_addresses(peer.pid))
        network = networks[name].id
        scene.facts.tcp_ends += [replace(one, network=network) for one in found]
    scene.facts.networks += networks.values()
    _join(scene)


def _join(scene: Scene) -> None:
    """Add who has the other ends of what threads wait for, in other namespaces of this machine."""
    facts = scene.facts
    meetings = Meetings(facts.tcp_ends, facts.networks)
    ends = {end.socket: end for end in facts.tcp_ends}
    for wait in [one for one in facts.waits if one.target in ends]:
        end, known = ends[wait.target], facts.resources[wait.target]
        met = meetings.of(end)
        others = [one for one in met.others if one.pid in scene.peers and one.pid != end.pid]
        if not others:
            note = f"{known.note}; {met.unclear}" if known.note and met.unclear else known.note
            facts.resources[wait.target] = replace(known, note=note)
            continue
        name = f"TCP connection to {end.remote} in process {others[0].pid}"
        label = label_of(name, known.detail)
        facts.resources[wait.target] = replace(known, name=name, label=label, note=None)
        peer = scene.peers[wait.waiter.pid]
        sleeper = Sleeper(peer, wait.waiter.tid or 0, peer.asleep[wait.waiter.tid or 0])
        for other in others:
            text = f"has the other end open ({other.descriptors}), in another network namespace"
            if not other.accepted:
                text = f"listens there ({other.descriptors}) and has not accepted the connection"
            scene.hold_by_process(wait.target, other.pid, sleeper, text, other.complete)


def confirm(scene: Scene, processes: Mapping[int, Process]) -> None:
    """Forget who could act on an end, where others of its process did not rest to the end of the
    watch. *processes*: as they were seen then."""
    ends = scene.facts.tcp_ends
    for index, end in enumerate(ends):
        able = scene.premises.able.get(end.pid, frozenset())
        if end.able is not None and not rested(processes.get(end.pid), able):
            ends[index] = replace(end, able=None)


def _ends(scene: Scene, sockets: Sockets, peer: Peer) -> Iterator[TcpEnd]:
    """The ends that one process has."""
    inodes: dict[int, list[int]] = {}
    for fd, link in scene.descriptors.open_in(peer.pid):
        inode = inode_of(link)
        if inode is not None:
            inodes.setdefault(inode, []).append(fd)
    if not inodes:
        return
    table = sockets.table(peer.pid)
    sure = None
    for count, (tcp, own) in enumerate(_open(table, inodes)):
        if count == _MOST_OF_ONE:
            message = f"of its TCP connections only {_MOST_OF_ONE:,} are looked at"
            scene.notice(message, pid=peer.pid)
            return
        other = table.other_end(tcp)
        if other is not None and _captured(scene, other):
            continue
        sure = scene.complete() if sure is None else sure
        able = scene.able(peer)
        fds = inodes[own]
        yield TcpEnd(
            socket=_node(tcp),
            pid=peer.pid,
            network="",
            local=str(tcp.local),
            remote=str(tcp.remote),
            complete=sure,
            descriptors=pipes.fd_names(fds),
            able=tuple(thread_id(peer.pid, tid) for tid in able) if _known(peer, able) else None,
            users=_users(peer, fds) if tcp.inode else (),
            accepted=bool(tcp.inode),
            traffic=traffic_of(tcp, table) if tcp.inode else None,
            seen_at=time.time(),
        )


def _open(table: TcpTable, inodes: Mapping[int, object]) -> Iterator[tuple[Connection, int]]:
    """The open connections among sockets, and those that have yet to be accepted from one; each
    with the inode of what is open."""
    for inode in inodes:
        tcp = table.socket(inode)
        if tcp is None:
            continue
        if tcp.listens:
            yield from ((one, inode) for one in table.knocking(tcp))
        elif tcp.established:
            yield tcp, inode


def _captured(scene: Scene, other: Connection) -> bool:
    """Whether a captured process has that end, so that all is known here."""
    if not other.inode:
        return True  # nobody has it, or it listens here
    holders = scene.descriptors.holders(f"socket:[{other.inode}]")
    return any(pid in scene.peers for pid in holders)


def _node(tcp: Connection) -> NodeId:
    return shared_id(NodeKind.SOCKET, f"{tcp.inode:#x}")


def _known(peer: Peer, able: tuple[int, ...]) -> bool:
    listed = {thread.tid for thread in peer.process.threads}
    return len(able) <= _MOST_ABLE and listed.issuperset(able)


def _users(peer: Peer, fds: list[int]) -> tuple[NodeId, ...]:
    threads = [thread.tid for thread in peer.process.threads]
    users = peer.socket_users(fds, ()) if peer.socket_users else None
    return tuple(thread_id(peer.pid, tid) for tid in threads if tid in (users or ()))[:_MOST_USERS]


# -- namespaces ---------------------------------------------------------------------------------


def _identity(namespace: str) -> str:
    from hashlib import sha256  # it loads OpenSSL

    boot = text(PROC / "sys/kernel/random/boot_id", 100) or ""
    return sha256(f"{boot}\0{os.uname().nodename}\0{namespace}".encode()).hexdigest()[:16]


def _own_addresses(pid: int) -> tuple[str, ...]:
    try:
        four = _LOCAL.findall(text(PROC / str(pid) / "net/fib_trie", _MOST_LISTED) or "")
        lines = (text(PROC / str(pid) / "net/if_inet6", _MOST_LISTED) or "").splitlines()
    except OSError:
        return ()
    six = [str(ipaddress.IPv6Address(int(line[:32], 16))) for line in lines if line[:32].isalnum()]
    found = dict.fromkeys(one for one in (*four, *six) if not ipaddress.ip_address(one).is_loopback)
    return tuple(found)[:_MOST_ADDRESSES]
