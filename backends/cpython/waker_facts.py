"""Who could end waits for what nobody holds, in the words of the model."""

from collections.abc import Mapping
from dataclasses import replace

from hangtui.backends.cpython.frames import Frame, place_of
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.wakers.complements import KINDS, complements
from hangtui.backends.cpython.wakers.search import Found, Search
from hangtui.backends.facts import Facts
from hangtui.model import (
    Certainty,
    Complement,
    CouldWake,
    Evidence,
    Nearness,
    NodeId,
    NodeKind,
    Source,
    Wait,
    thread_id,
)

_MAX_TARGETS = 200
"""Objects that are waited for and looked for in one process."""


class WakerResolver:
    """Finds who could end the waits of one process's threads and tasks."""

    def __init__(self, pid: int, python: PythonReader) -> None:
        self._pid = pid
        self._python = python

    def add(self, facts: Facts, tasks: Mapping[NodeId, tuple[Frame, ...]]) -> None:
        """Add them, after all waits and holds are known. *tasks*: their frames."""
        waits = self._ownerless(facts)
        if not any(_asks(wait) for wait in facts.waits if wait.waiter.pid == self._pid):
            return
        wanted: dict[int, dict[str, Complement]] = {}
        for wait in waits:
            address = wait.target.address
            if address is not None and (address in wanted or len(wanted) < _MAX_TARGETS):
                wanted.setdefault(address, {}).update(complements(wait))
        if not wanted:
            return
        stacks = {thread_id(self._pid, tid): s for tid, s in self._python.stacks.items()}
        stacks.update(tasks)
        search = Search(self._python, wanted)
        stuck = {(wait.waiter, wait.target.address or 0) for wait in waits if not wait.expires}
        nodes = {wait.target.address: wait.target for wait in waits}
        for found in search.run(stacks, stuck):
            facts.could_wake.append(self._fact(nodes[found.target], found, stacks))
        if search.whole and self._all_stacks():
            for address in wanted:
                node = nodes[address]
                if node in facts.resources:
                    facts.resources[node] = replace(facts.resources[node], wakers_known=True)

    def _ownerless(self, facts: Facts) -> list[Wait]:
        """The waits for what nobody is surely known to hold."""
        held = {hold.resource for hold in facts.holds if hold.evidence.certainty.supports_claim}
        return [
            wait
            for wait in facts.waits
            if wait.target.pid == self._pid
            and wait.target.kind in KINDS
            and wait.target not in held
            and complements(wait)
        ]

    def _all_stacks(self) -> bool:
        """Whether the frames of every Python thread were read."""
        python = self._python
        return not python.unknown_states and python.threads.keys() <= python.stacks.keys()

    def _fact(
        self, node: NodeId, found: Found, stacks: dict[NodeId, tuple[Frame, ...]]
    ) -> CouldWake:
        where = place_of(stacks.get(found.candidate, ()))
        evidence = Evidence(Source.CPYTHON, Certainty.INFERRED, _text(found), where)
        return CouldWake(
            node,
            found.candidate,
            found.complement,
            found.nearness,
            evidence,
            found.call,
            found.line,
        )


def _asks(wait: Wait) -> bool:
    """Whether it is a question who ends a wait: not for workers that wait for work."""
    takes = wait.target.kind is NodeKind.QUEUE and (wait.method or wait.operation) == "get"
    is_main = wait.waiter.tid == wait.waiter.pid
    return wait.target.kind is not NodeKind.GIL and (not takes or is_main)


def _text(found: Found) -> str:
    line = f" ({found.line})" if found.line else ""
    if found.nearness is Nearness.IN:
        return f"it is inside {found.call}()"
    if found.nearness is Nearness.AHEAD:
        return f"its code reaches {found.call}(){line} if it goes on"
    return "its frames refer to it"
