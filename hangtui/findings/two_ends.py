"""Whether the two who have the ends of one connection wait for each other's data."""

from collections.abc import Sequence

from hangtui.findings.words import Words
from hangtui.model import Ends, Resource, Thread


def waits_here(thread: Thread, there: Sequence[Thread], words: Words) -> bool:
    """Whether the only one who has the other end waits for data from *thread*'s end itself, and
    without a timeout."""
    waits = [words.graph.wait_of(one.id) for one in (thread, *there)]
    if len(there) != 1 or any(one is None or one.expires for one in waits):
        return False
    if {words.operation(one) for one in waits if one} != {"receive"}:
        return False
    here, other = (ends_of(words.resource(one.target)) for one in waits if one)
    return here is not None and other is not None and here.meets(other)


def ends_of(resource: Resource | None) -> Ends | None:
    """Of a connection of TCP both ends of which are known; None: it is none."""
    ends = resource.ends if resource else None
    return ends if ends is not None and ends.local else None
