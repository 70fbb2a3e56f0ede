"""Which processes that run Python descend from others, also through programs that do not: a cluster
starts its workers from a daemon in C++, a script from a shell."""

import contextlib
from collections.abc import Collection, Iterable

from hangtui.backends.process import discovery
from hangtui.backends.process.context import child_pids
from hangtui.backends.procfs.files import PROC

_MOST_PASSED = 256
"""Programs without Python whose children are looked at."""


def python_descendants(pids: Iterable[int], known: Collection[int], most: int) -> tuple[int, ...]:
    """PIDs of those among *pids* that run Python and, in place of the others, of the nearest of
    their descendants that do; the near ones first, at most *most*.

    Without those *known* and hangtui's own, and without what descends from these.
    """
    left_out = {*known, *discovery.own_pids()}
    found: list[int] = []
    passed = 0
    level = list(pids)
    while level:
        below: list[int] = []
        for pid in level:
            if pid in left_out:
                continue
            left_out.add(pid)
            if discovery.is_named_python(pid):
                found.append(pid)
                if len(found) >= most:
                    return tuple(found)
            elif passed < _MOST_PASSED:
                passed += 1
                with contextlib.suppress(OSError, ValueError):
                    below += child_pids(PROC / str(pid))
        level = below
    return tuple(found)
