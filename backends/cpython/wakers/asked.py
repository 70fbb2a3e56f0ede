"""What is looked for when it is asked who could end waits: objects, and calls on them."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from hangtui.backends.cpython.wakers.complements import complements, of_end
from hangtui.backends.cpython.wakers.others import Other
from hangtui.dataclass import dataclass
from hangtui.model import Complement, NodeId, NodeKind, Wait

_MAX_TARGETS = 200
"""Objects that are waited for and looked for in one process."""
_LINKS = 8
"""Threads that wait for the end of one another, which are followed."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked for: by the addresses of what is waited for, and of what stands for it."""

    wanted: dict[int, dict[str, Complement]]
    nodes: dict[int, NodeId]
    stuck: set[tuple[NodeId, int]]
    """Who waits for what for good."""


def asked_for(waits: Sequence[Wait], others: Iterable[Other]) -> Asked:
    """What *waits* ask for; *others*: objects that stand for what is waited for."""
    asked = Asked({}, {}, set())
    by_target: dict[NodeId, list[Wait]] = {}
    for wait in waits:
        address = wait.target.address
        by_target.setdefault(wait.target, []).append(wait)
        if address is not None:
            _ask(asked, address, wait, complements(wait))
    for other in others:
        for wait in by_target.get(other.resource, ()):
            _ask(asked, other.address, wait, of_end(wait) if other.is_end else complements(wait))
    return asked


def _ask(asked: Asked, address: int, wait: Wait, names: Mapping[str, Complement]) -> None:
    if address in asked.wanted or len(asked.wanted) < _MAX_TARGETS:
        asked.wanted.setdefault(address, {}).update(names)
        asked.nodes[address] = wait.target
    if not wait.expires:
        asked.stuck.add((wait.waiter, address))


def with_joining(
    stuck: Collection[tuple[NodeId, int]], waits: Iterable[Wait]
) -> set[tuple[NodeId, int]]:
    """*stuck*, who waits for what, with those who wait for the end of one of these: they go on no
    sooner than that one."""
    joining = [wait for wait in waits if wait.target.kind is NodeKind.THREAD and not wait.expires]
    found = set(stuck)
    for _ in range(_LINKS):
        more = {
            (wait.waiter, address)
            for wait in joining
            for node, address in found
            if node == wait.target
        }
        if more <= found:
            break
        found |= more
    return found


def attribute_of(name: str | None) -> str:
    """``done``, of ``Call.done`` and ``Call.done at 0x7f01``; empty: what is waited for is no
    attribute, as far as is known."""
    owner, _, attribute = (name or "").partition(" at 0x")[0].rpartition(".")
    return attribute if owner and attribute.isidentifier() else ""
