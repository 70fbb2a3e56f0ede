"""Tasks that have ended with an error before they came to end a wait."""

from collections.abc import Iterable
from dataclasses import replace

from hangtui.backends.cpython.aio.failed import FailedTask
from hangtui.backends.cpython.wakers.asked import Asked
from hangtui.backends.cpython.wakers.search import Search
from hangtui.backends.facts import Facts
from hangtui.model import Ended, clean

_MAX_NAME = 120
_MOST_ENDED = 3
"""Tasks that have ended and are told of one resource."""


def add_failed(facts: Facts, asked: Asked, search: Search, failed: Iterable[FailedTask]) -> None:
    """Which tasks that have ended would have ended waits."""
    for task in failed:
        known = [one for one in task.frames if not one.in_library]
        own = next((one for one in known if not one.installed), known[0] if known else None)
        place, function = (own.place, own.code.function) if own else (None, None)
        told = Ended(
            clean(task.label, _MAX_NAME),
            task.error,
            clean(place, _MAX_NAME) if place else None,
            clean(function, _MAX_NAME) if function else None,
        )
        for address in search.ended(task.frames):
            node = asked.nodes[address]
            one = facts.resources.get(node)
            if one is not None and len(one.ended) < _MOST_ENDED:
                facts.resources[node] = replace(one, ended=(*one.ended, told))
