"""Whether the two who have the ends of one connection wait for each other's data."""

from collections.abc import Sequence

from hangtui.findings.words import Words
from hangtui.model import Resource, Thread


def waits_here(thread: Thread, there: Sequence[Thread], words: Words) -> bool:
    """Whether the only one who has the other end waits for data from *thread*'s end itself, and
    without a timeout."""
    waits = [words.graph.wait_of(one.id) for one in (thread, *there)]
    if len(there) != 1 or any(one is None or one.expires for one in waits):
        return False
    if {words.operation(one) for one in waits if one} != {"receive"}:
        return False
    ends = [words.resource(one.target) for one in waits if one]
    here, other = (addresses(one) for one in ends)
    return here is not None and other is not None and here == other[::-1]


def addresses(resource: Resource | None) -> tuple[str, str] | None:
    """The addresses of a connection, this side's first; None: it is none that has these."""
    detail, name = (resource.detail, resource.name) if resource else (None, None)
    own = (detail or "").removeprefix("from ")
    way, _, remote = (name or "").partition(" to ")
    return (own, remote) if own and way == "TCP connection" else None
