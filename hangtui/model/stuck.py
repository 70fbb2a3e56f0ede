"""What it means that nobody can go on: the largest set of which each member waits for the set."""

from collections.abc import Collection, Iterable, Mapping
from typing import TypeVar

_Node = TypeVar("_Node")


def largest_stuck(
    ways: Mapping[_Node, Iterable[_Node]], resting: Collection[_Node] = ()
) -> set[_Node]:
    """The nodes that no chain of events can free.

    Begins with all of them and takes away, until nothing changes, whoever has a way out of the
    rest. Each is looked at once, so the time grows as the number of ways does.

    Args:
        ways: of each node that does not go on by itself: whatever could set it going.
        resting: nodes that stay, whatever they have as ways.
    """
    stuck = {*ways, *resting}
    waiting: dict[_Node, list[_Node]] = {}
    for node, targets in ways.items():
        for target in targets:
            waiting.setdefault(target, []).append(node)
    free = [target for target in waiting if target not in stuck]
    for node in free:
        freed = [one for one in waiting.get(node, ()) if one in stuck and one not in resting]
        stuck.difference_update(freed)
        free.extend(freed)
    return stuck
