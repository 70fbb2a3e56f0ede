"""Until when a task of trio may wait: the deadlines of the cancel scopes that it is in."""

import math
import time

from hangtui.backends.cpython.trio.fields import Fields
from hangtui.backends.process.sleep_time import remaining

_MAX_SCOPES = 200


class Deadlines:
    """Reads the deadlines of tasks of one interpreter."""

    def __init__(self, fields: Fields) -> None:
        self._fields = fields
        self._known: dict[int, float] = {}
        """By the status of the innermost scope: tasks of a nursery share those around it."""

    def of(self, task: int) -> float:
        """When the first scope around a task ends what it does, by its clock; infinite: none does.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        return self._around(self._fields.of(task, "_cancel_status"))

    def _around(self, status: int) -> float:
        chain, best = list[int](), math.inf
        while status and status not in self._known and len(chain) < _MAX_SCOPES:
            self._fields.objects.memory.spent.objects(1)
            chain.append(status)
            scope = self._fields.of(status, "_scope")
            if self._fields.containers.true(self._fields.of(scope, "_shield")):
                status = 0  # what happens to those around it does not come here
            else:
                status = self._fields.of(status, "_parent")
        best = self._known.get(status, math.inf)
        for one in reversed(chain):
            scope = self._fields.of(one, "_scope")
            deadline = self._fields.containers.number(self._fields.of(scope, "_deadline"))
            best = min(best, math.inf if deadline is None else deadline)
            self._known[one] = best
        return best


def left(deadline: float, ahead: float | None) -> str:
    """`` (3.2 s left)``; *ahead*: what the clock is ahead of the system's. Nothing if not known."""
    if ahead is None or not math.isfinite(deadline):
        return ""
    return f" ({remaining(deadline - ahead - time.monotonic())})"
