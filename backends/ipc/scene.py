"""What all mechanisms between processes share: the captured processes, the facts so far, and how
a wait or a hold gets into them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from hangtui.backends.facts import Facts
from hangtui.backends.ipc import relatives
from hangtui.backends.ipc.deputy import Deputy
from hangtui.backends.ipc.descriptors import MOST_OF_ALL, MOST_OF_ONE, Descriptors
from hangtui.backends.ipc.offspring import Offspring
from hangtui.backends.ipc.peer import Peer, Sleeper
from hangtui.backends.ipc.premises import Premises
from hangtui.backends.procfs import life
from hangtui.model import (
    Certainty,
    Ends,
    Evidence,
    Hold,
    NodeId,
    NodeKind,
    Notice,
    Resource,
    Source,
    Wait,
    label_of,
    process_id,
    shared_id,
    thread_id,
)

_THREADS_NAMED = 8
"""With more threads that could act, only the process is named as the holder."""
_HOLDERS_NAMED = 256
"""Of one resource; whoever has more of them is told that they are many."""

_MOST_OF_A_KEY = 200
"""Characters: a file with longer names of nodes is not opened (`hangtui.foreign_capture`)."""


class Scene:
    """Captured processes and the facts that lead from one to another."""

    def __init__(self, peers: Mapping[int, Peer], facts: Facts) -> None:
        self.peers = peers
        self.facts = facts
        self.notices: list[Notice] = []
        self.descriptors = Descriptors(Deputy(self._silent))
        self._able: dict[int, tuple[int, ...]] = {}
        self._held: dict[NodeId, set[NodeId]] = {}
        for hold in facts.holds:
            self._held.setdefault(hold.resource, set()).add(hold.holder)
        self.offspring = Offspring()
        self.births = life.births()
        self.premises = Premises()

    def _silent(self, pid: int) -> None:
        message = "the kernel gives no answer about what it has open, so who holds that is not read"
        self.notice(message, pid=pid)

    def notice(self, message: str, fix: str | None = None, pid: int | None = None) -> None:
        """Say once what could not be read."""
        notice = Notice(Source.PROCFS, message, fix, pid)
        if notice not in self.notices:
            self.notices.append(notice)

    # -- nodes ----------------------------------------------------------------------------------

    def process(self, pid: int) -> NodeId:
        """The node id of a process, which gets its name into the capture."""
        node = process_id(pid)
        if node not in self.facts.resources:
            peer = self.peers.get(pid)
            process = peer.process if peer else None
            self.facts.resources[node] = relatives.resource(pid, process)
        return node

    def name(self, pid: int) -> str:
        """``process 12 (nginx)``."""
        return self.facts.resources[self.process(pid)].label

    def resource(
        self,
        kind: NodeKind,
        key: str,
        name: str,
        sleeper: Sleeper,
        note: str | None = None,
        detail: str | None = None,
        ends: Ends | None = None,
    ) -> NodeId:
        """The node id of something that the kernel keeps, which all processes share.

        *detail*: what its label says of it in brackets; of a connection of TCP, its *ends* do.
        """
        if ends is not None:
            detail = f"from {ends.local}"
        node = shared_id(kind, _fit(key))
        if node not in self.facts.resources:
            address = int(key.partition("/")[0], 16) if key.startswith("0x") else 0
            label = label_of(name, detail)
            made = Resource(node, kind, label, sleeper.pid, address, None, note, name=name)
            self.facts.resources[node] = replace(made, detail=detail, ends=ends)
        return node

    # -- all or nothing -------------------------------------------------------------------------

    def mark(self) -> tuple[int, int]:
        """How far the waits and holds have come."""
        return len(self.facts.waits), len(self.facts.holds)

    def all_held_since(self, mark: tuple[int, int]) -> bool:
        """Whether somebody is known for each wait since *mark* who can end it."""
        targets = {wait.target for wait in self.facts.waits[mark[0] :]}
        return all(self._held.get(one) or one.kind is NodeKind.PROCESS for one in targets)

    def go_back(self, mark: tuple[int, int]) -> None:
        """Forget the waits and holds since *mark*, and what only they refer to."""
        facts = self.facts
        gone = {wait.target for wait in facts.waits[mark[0] :]}
        for hold in facts.holds[mark[1] :]:
            self._held[hold.resource].discard(hold.holder)
        del facts.waits[mark[0] :], facts.holds[mark[1] :]
        if gone:
            used = {wait.target for wait in facts.waits}
            for node in gone - used:
                if not self._held.get(node):
                    facts.resources.pop(node, None)

    # -- edges ----------------------------------------------------------------------------------

    def wait(
        self,
        sleeper: Sleeper,
        target: NodeId,
        text: str,
        operation: str,
        *,
        expires: bool = False,
        unsure: bool = False,
    ) -> None:
        """Add that a thread waits; the kernel says so, hence it is certain.

        *unsure*: whether it gives up by itself cannot be seen.
        """
        certainty = Certainty.INFERRED if unsure else Certainty.CERTAIN
        text += "; whether it has a timeout (SO_RCVTIMEO) cannot be seen" if unsure else ""
        evidence = Evidence(Source.PROCFS, certainty, text, sleeper.place)
        self.facts.waits.append(Wait(sleeper.node, target, evidence, expires, operation))

    def hold(self, resource: NodeId, holder: NodeId, certainty: Certainty, text: str) -> None:
        """Add that a thread or a process holds something, unless that is known."""
        holders = self._held.setdefault(resource, set())
        if holder in holders:
            return
        if len(holders) == _HOLDERS_NAMED:
            certainty, text = Certainty.UNKNOWN, f"is one of more than {_HOLDERS_NAMED}"
        if len(holders) <= _HOLDERS_NAMED:
            holders.add(holder)
            evidence = Evidence(Source.PROCFS, certainty, text)
            self.facts.holds.append(Hold(resource, holder, evidence))

    def add_unflushed(self, resource: NodeId, ends: Mapping[int, Collection[int]]) -> None:
        """Add who has written to these descriptors, by PID, and not flushed that: who waits for
        *resource* would get it."""
        known = [(self.peers[pid], fds) for pid, fds in sorted(ends.items()) if pid in self.peers]
        found = [(peer.pid, count) for peer, fds in known if (count := peer.unflushed(fds))]
        if found:
            one = self.facts.resources[resource]
            self.facts.resources[resource] = replace(one, unflushed=tuple(found))

    def hold_by_process(
        self,
        resource: NodeId,
        pid: int,
        sleeper: Sleeper,
        text: str,
        weakest: Certainty = Certainty.CERTAIN,
    ) -> None:
        """Add who of process *pid* can let *sleeper* go on: it holds what all its threads can use.

        For a captured process these are the threads that can come to act at all. Nobody can go on
        only if that is true of every one of them; so each of them becomes a holder. The waiting
        thread itself is none.
        """
        peer = self.peers.get(pid)
        if peer is None:
            self.hold(resource, self.process(pid), weakest, f"{self.name(pid)} {text}")
            return
        self.premises.at_rest.setdefault(resource, set()).add(pid)
        able = self.able(peer)
        # If nobody in another process can act, its main thread stands for all of them.
        tids = able or (pid,) if pid != sleeper.pid else [t for t in able if t != sleeper.tid]
        self._hold_by_threads(resource, peer, tids, text, weakest)

    def hold_by_own_process(
        self, resource: NodeId, sleeper: Sleeper, text: str, *, idling: bool, sure: Certainty
    ) -> None:
        """The same where the waiting thread's own process is the only holder.

        *idling*: an idle program may wait like this for what another one of its threads has to say
        some day. Its resting threads count as holders then: if they wait for nothing in particular,
        nothing is wrong. Otherwise, without a thread that could act, it waits for itself.
        """
        peer = sleeper.peer
        self.premises.at_rest.setdefault(resource, set()).add(peer.pid)
        others = [t.tid for t in peer.process.threads if t.tid != sleeper.tid]
        if not self.alone(sleeper):
            weakest = Certainty.CERTAIN if sure is Certainty.PROVEN else sure
            self.hold_by_process(resource, peer.pid, sleeper, text, weakest)
        elif others and idling:
            self._hold_by_threads(resource, peer, others, text, sure)
        else:
            text = f"only {self.name(peer.pid)} {text}, and no other thread of it can act"
            self.hold(resource, sleeper.node, sure, text)

    def _hold_by_threads(
        self, resource: NodeId, peer: Peer, tids: Sequence[int], text: str, weakest: Certainty
    ) -> None:
        listed = {thread.tid for thread in peer.process.threads}
        started_since = any(tid not in listed for tid in tids)
        if started_since or len(tids) > _THREADS_NAMED:
            which = f"which of its {len(tids)} threads is not known"
            why = "threads come and go in it: which one is not known" if started_since else which
            text = f"{self.name(peer.pid)} {text}; {why}"
            self.hold(resource, self.process(peer.pid), Certainty.UNKNOWN, text)
            return
        text = f"{self.name(peer.pid)} {text}{_choice(len(tids), len(peer.process.threads))}"
        whole = len(peer.process.threads) == 1
        certainty = Certainty.CERTAIN if whole else Certainty.PROVEN
        certainty = max(certainty, weakest, key=lambda one: one.rank)
        for tid in tids:
            self.hold(resource, thread_id(peer.pid, tid), certainty, text)

    def able(self, peer: Peer) -> tuple[int, ...]:
        """The threads of a process that can come to act without another one of it."""
        if peer.pid not in self._able:
            self._able[peer.pid] = peer.able()
            self.premises.able[peer.pid] = frozenset(self._able[peer.pid])
        return self._able[peer.pid]

    def alone(self, sleeper: Sleeper) -> bool:
        """Whether no other thread of its own process can act before it does."""
        return set(self.able(sleeper.peer)) <= {sleeper.tid}

    @cached_property
    def hidden_relatives(self) -> frozenset[int]:
        """Descendants of captured processes whose descriptors we may not see.

        They may have inherited an end of any pipe, so that no list of holders is known to be
        complete. Strangers get at one only in roundabout ways.
        """
        self.descriptors.holders("")
        return frozenset(pid for pid in self.descriptors.unreadable if self._descends(pid))

    def uncounted(self, of: int) -> str:
        """The relatives of process *of* with more open files than are looked at, in words."""
        found = [pid for pid in sorted(self.descriptors.uncounted) if self._related(pid, of)]
        names = ", ".join(map(str, found[:5]))
        return f"process{'es' if len(found) > 1 else ''} {names}" if found else ""

    def _related(self, pid: int, other: int) -> bool:
        """Whether one may have inherited from the other, or both from the same captured one."""
        return pid in self.peers or self._descends(pid) or pid in relatives.ancestors(other)

    def _descends(self, pid: int) -> bool:
        return any(above in self.peers for above in relatives.ancestors(pid))

    def complete(self) -> Certainty:
        """How sure it is that all holders of a descriptor are known."""
        if not self.hidden_relatives:
            return self._counted()
        pids = ", ".join(map(str, sorted(self.hidden_relatives)[:5]))
        message = (
            f"the open files of descendants may not be read (process {pids}), so an end of a pipe "
            "or socket may be open there too"
        )
        self.notice(message, "run hangtui as the user of these processes, or as root")
        return Certainty.INFERRED

    def _counted(self) -> Certainty:
        """The same, as far as it depends on who has too many files open to look at them."""
        cut = [
            pid for pid in self.descriptors.uncounted if pid in self.peers or self._descends(pid)
        ]
        if not cut:
            return Certainty.CERTAIN
        message = (
            f"it has more open files, or locks on them, than are looked at ({MOST_OF_ONE} of one "
            f"process, {MOST_OF_ALL} of all): it may hold what others wait for"
        )
        for pid in cut:
            self.notice(message, pid=pid)
        return Certainty.INFERRED


def _choice(able: int, threads: int) -> str:
    if threads == 1:
        return ""
    if able == 1:
        return f"; this is the only one of its {threads} threads that could act first"
    return f"; {able} of its {threads} threads could act first"


def _fit(key: str) -> str:
    """*key* as a part of a node's name, which has no spaces and is not long: the name of a file
    may be anything, and two of them are never taken for one."""
    if key.isascii() and key.isprintable() and " " not in key and len(key) <= _MOST_OF_A_KEY:
        return key
    from hashlib import sha256

    return sha256(key.encode(errors="surrogateescape")).hexdigest()
