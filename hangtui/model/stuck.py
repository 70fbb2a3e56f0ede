"""What it means that nobody can go on: the largest set of which each member waits for the set."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import TypeVar

_Node = TypeVar("_Node")


def largest_stuck(
    ways: Mapping[_Node, Collection[_Node]],
    resting: Collection[_Node] = (),
    together: Collection[_Node] = (),
) -> set[_Node]:
    """The nodes that no chain of events can free.

    Begins with all of them and takes away, until nothing changes, whoever has a way out of the
    rest. Each is looked at once, so the time grows as the number of ways does.

    Args:
        ways: of each node that does not go on by itself: whatever could set it going.
        resting: nodes that stay, whatever they have as ways.
        together: nodes that need all of their ways: one that stays keeps them.
    """
    stuck = {*ways, *resting}
    waiting = defaultdict[_Node, list[_Node]](list)
    needed = dict.fromkeys(together, 0)
    for node, targets in ways.items():
        for target in targets if len(targets) == 1 else dict.fromkeys(targets):
            waiting[target].append(node)
            if node in needed:
                needed[node] += 1
    free = [target for target in waiting if target not in stuck]
    for node in free:
        freed = []
        for one in waiting.get(node, ()):
            if one in needed:
                needed[one] -= 1
            if one in stuck and one not in resting and not needed.get(one):
                freed.append(one)
        stuck.difference_update(freed)
        free.extend(freed)
    return stuck
