"""Threads that sleep at what they have open, if all are known who could wake them through that.

A pipe, a socket, an eventfd or a child says nothing unless somebody has its other end. Of a timer,
a terminal, a signal descriptor or a connection to another machine nobody here is known to be the
only one, so that a thread which waits for such a thing as well is left out.
"""

from collections.abc import Iterable, Mapping

from hangtui.backends.facts import Facts
from hangtui.backends.ipc import eventfds, family, pipes
from hangtui.backends.ipc.channel_calls import ACCEPTS, Access, Demand
from hangtui.backends.ipc.descriptors import Descriptors
from hangtui.backends.ipc.peer import Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.ipc.socket_links import inode_of, link_of
from hangtui.backends.ipc.sockets import Sockets
from hangtui.backends.procfs.syscalls import signed
from hangtui.model import Inward, NodeId, Process

_EVENTFD = "anon_inode:[eventfd]"


class Inwards:
    """Finds them among the threads of captured processes."""

    def __init__(self, scene: Scene, sockets: Sockets) -> None:
        self._scene = scene
        self.sockets = sockets
        self._links: dict[NodeId, dict[str, frozenset[int]]] = {}
        """By thread: the other ends, and the processes that had them open."""
        self._driven: dict[int, bool] = {}
        self._ticking: set[NodeId] = set()
        """Threads whose calls end by the clock, which need not be in the same one to the end."""

    def add_accepting(self, sleeper: Sleeper) -> None:
        """Add a thread that waits in accept for somebody to connect."""
        if sleeper.where.call in ACCEPTS:
            fd = signed(sleeper.where.arguments[0])
            self.add(sleeper, [Demand(fd, Access.READ, sleeper.where.call)])

    def add(self, sleeper: Sleeper, demands: Iterable[Demand]) -> None:
        """Add a thread that *demands* would wake, if it is known who is behind each of them."""
        descriptors = self._scene.descriptors
        ends, accepts, links = set[int](), list[str](), dict[str, frozenset[int]]()
        found = list(demands)
        for demand in found:
            name = self._accepts(sleeper, demand)
            if name:
                accepts.append(name)
                continue
            known = self._behind(sleeper, demand, links)
            if not known or not self._waits_on(sleeper, demand):
                return
            ends |= known
        whole = not (self._scene.hidden_relatives or descriptors.uncounted)
        if found and whole:
            self._links[sleeper.node] = links
            if any(one.expires for one in found):
                self._ticking.add(sleeper.node)
            names = tuple(dict.fromkeys(accepts))
            self._scene.facts.inward.append(Inward(sleeper.node, tuple(sorted(ends)), names))

    def confirm(self, facts: Facts, processes: Mapping[int, Process], now: Descriptors) -> None:
        """Leave out whoever did not sleep on, unless the clock may have woken it, or whom somebody
        new could wake by now."""
        threads = (t for process in processes.values() for t in process.threads)
        still = {t.id for t in threads if t.still or (t.asleep and t.syscall and t.syscall.timed)}
        still |= self._ticking
        facts.inward[:] = [
            one for one in facts.inward if one.thread in still and self._same(one.thread, now)
        ]

    def _same(self, thread: NodeId, now: Descriptors) -> bool:
        links = self._links.get(thread, {})
        return all(now.holders(link).keys() <= known for link, known in links.items())

    def _waits_on(self, sleeper: Sleeper, demand: Demand) -> bool:
        """Whether no timeout of a socket's own ends its call."""
        if demand.polled:
            return True
        limit = self._scene.descriptors.has_timeout(sleeper.pid, demand.fd, demand.access)
        link = self._scene.descriptors.link(sleeper.pid, demand.fd) or ""
        return limit is False or inode_of(link) is None

    def _accepts(self, sleeper: Sleeper, demand: Demand) -> str | None:
        """What a listening socket is called; None: it is none."""
        link = self._scene.descriptors.link(sleeper.pid, demand.fd)
        inode = inode_of(link) if link is not None else None
        return self.sockets.listener(sleeper.pid, inode) if inode is not None else None

    def _behind(
        self, sleeper: Sleeper, demand: Demand, links: dict[str, frozenset[int]]
    ) -> set[int]:
        """Who could make it readable or writable; empty: that is not known. *links* gets what they
        have open for that."""
        scene, pid = self._scene, sleeper.pid
        link = scene.descriptors.link(pid, demand.fd)
        if link is None:
            return set()
        if (child := family.awaited(scene, sleeper, demand.fd, link)) is not None:
            return {child}
        if link.startswith("pipe:["):
            return self._seen(link, pipes.ends_of(scene, link, demand.access), links)
        if link == _EVENTFD:
            return set() if self._is_driven(pid) else set(eventfds.ends_of(scene, pid, demand.fd))
        inode = inode_of(link)
        far = self.sockets.far_ends(sleeper.pid, inode) if inode is not None else []
        return set().union(
            *(self._seen(one, scene.descriptors.holders(one), links) for one in map(link_of, far))
        )

    def _seen(self, link: str, pids: Iterable[int], links: dict[str, frozenset[int]]) -> set[int]:
        links[link] = frozenset(self._scene.descriptors.holders(link))
        return set(pids)

    def _is_driven(self, pid: int) -> bool:
        """Whether a driver, or io_uring, may write to an eventfd of a process."""
        if pid not in self._driven:
            self._driven[pid] = eventfds.is_driven(self._scene, pid)
        return self._driven[pid]
