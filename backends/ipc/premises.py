"""What was taken for granted of others while holds were read, and whether it held to the end.

That only one thread can act is true for as long as its siblings rest, and that only some processes
have an end of a pipe for as long as nobody new has got it. Both are read at one instant, and the
waits at another. So both are looked at again once the watch has ended; a hold whose premise did not
hold proves nothing.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field, replace

from hangtui.backends.facts import Facts
from hangtui.backends.ipc.descriptors import Descriptors
from hangtui.backends.ipc.servants import serves_a_device
from hangtui.dataclass import dataclass
from hangtui.model import (
    Certainty,
    Evidence,
    Hold,
    NodeId,
    NodeKind,
    Process,
    Source,
    process_id,
    thread_id,
)

_RAN = "; threads of it ran, came or went, so another one may do it as well"
_NEW = "has it open now, and did not when first looked at"
_DEAD = frozenset("ZX")
_HAVE_ENDS = (NodeKind.THREAD, NodeKind.PROCESS)


@dataclass(slots=True)
class Premises:
    """Filled while holds are found."""

    at_rest: dict[NodeId, set[int]] = field(default_factory=dict)
    """By resource: processes whose other threads were taken to rest."""
    able: dict[int, frozenset[int]] = field(default_factory=dict)
    """By process: its threads that were known to be able to act, who need not rest."""
    ending: dict[NodeId, int] = field(default_factory=dict)
    """By node of a process: it, where none of its threads but the main one was taken to be able to
    end it."""
    links: dict[NodeId, dict[str, frozenset[int]]] = field(default_factory=dict)
    """By resource: what is open at its ends, and the processes that had it open."""

    def saw(self, resource: NodeId, link: str, pids: Iterable[int]) -> None:
        """Remember who had *link* open."""
        self.links.setdefault(resource, {})[link] = frozenset(pids)

    def unrest(self, processes: Mapping[int, Process]) -> set[int]:
        """The processes of which it was taken for granted, and is not true, that threads rest.

        *processes*: as they are known once the watch has ended.
        """
        asked = {pid for pids in self.at_rest.values() for pid in pids}
        able = self.able
        return {pid for pid in asked if not rested(processes.get(pid), able.get(pid, frozenset()))}

    def doubt(self, facts: Facts, processes: Mapping[int, Process]) -> None:
        """Take back what follows from the rest of threads that did not rest."""
        unrest = self.unrest(processes)
        alive = {
            node
            for node, pid in self.ending.items()
            if not rested(processes.get(pid), frozenset({pid}))
        }
        for index, hold in enumerate(facts.holds if unrest or alive else ()):
            pid, of_thread = hold.holder.pid, hold.holder.kind is NodeKind.THREAD
            if of_thread and pid in unrest and pid in self.at_rest.get(hold.resource, ()):
                facts.holds[index] = _doubted(hold, _RAN, Certainty.UNKNOWN)
            elif hold.resource in alive:
                facts.holds[index] = _doubted(hold, _RAN, Certainty.INFERRED)

    def claimed(self, facts: Facts, processes: Mapping[int, Process]) -> set[NodeId]:
        """The resources of which all holders are known, and stood still: these could be in a ring
        of waits."""
        still = {
            thread_id(process.pid, thread.tid)
            for process in processes.values()
            for thread in process.threads
            if thread.still is True
        }
        open_ends, found = set[NodeId](), set[NodeId]()
        for hold in facts.holds:
            if hold.resource in self.links:
                known = hold.evidence.certainty is not Certainty.UNKNOWN
                (found if known and hold.holder in still else open_ends).add(hold.resource)
        return found - open_ends

    def add_new(self, facts: Facts, resources: Iterable[NodeId], now: Descriptors) -> None:
        """Add the processes that have an end open by now and had not at first."""
        for resource in resources:
            for link, known in self.links[resource].items():
                for pid in sorted(now.holders(link).keys() - known):
                    evidence = Evidence(Source.PROCFS, Certainty.UNKNOWN, f"process {pid} {_NEW}")
                    facts.holds.append(Hold(resource, process_id(pid), evidence))


def rested(process: Process | None, but: Collection[int]) -> bool:
    """Whether all threads of a process did, *but* these, to the end of the watch."""
    if process is None or process.steady is False or not process.threads:
        return False
    return all(
        thread.still is True
        or thread.tid in but
        or thread.state in _DEAD
        or serves_a_device(thread)
        for thread in process.threads
    )


def released(facts: Facts, pid: int) -> Iterator[Hold]:
    """What takes the place of the holds of a process that ended or became another program while it
    was read: what all processes share it may have handed on, or keep."""
    for hold in facts.holds:
        if hold.resource.shared and hold.holder.pid == pid and hold.holder.kind in _HAVE_ENDS:
            yield replace(_doubted(hold, _HANDED_ON, Certainty.UNKNOWN), holder=process_id(pid))


_HANDED_ON = "; since then it ended or became another program, which may have it still"


def _doubted(hold: Hold, why: str, certainty: Certainty) -> Hold:
    certainty = max(certainty, hold.evidence.certainty, key=lambda one: one.rank)
    evidence = replace(hold.evidence, certainty=certainty, text=f"{hold.evidence.text}{why}")
    return replace(hold, evidence=evidence)
