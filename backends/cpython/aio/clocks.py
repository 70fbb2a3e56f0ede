"""Clocks that a test has stopped: no timer of an event loop that goes by one comes due."""

from collections.abc import Mapping, Sequence

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError

FREEZEGUN = "freezegun"
MODULE = "freezegun.api"
_STANDS = "FrozenDateTimeFactory"
"""What gives the time where that is moved by hand alone: others tick."""
_YEAR_S = 365 * 86_400.0


def stopped_by(module: Mapping[str, int], objects: Objects, containers: Containers) -> str | None:
    """The package that has stopped ``time.monotonic``, by the globals of its *module*.

    It leaves the true time to some of those that ask, so each loop is to be asked for its timers.
    """
    try:
        factories = containers.sequence(module.get("freeze_factories", 0))
    except MemoryReadError:
        return None
    stands = bool(factories) and objects.kind(factories[-1]) == _STANDS
    return FREEZEGUN if stands else None


def never_due(due: Sequence[float], now: float) -> bool:
    """Whether there are timers, and by the true clock none of them comes due within a year: a loop
    whose clock was stopped counts from the date at which it was, in seconds since 1970."""
    return bool(due) and min(due) - now > _YEAR_S
