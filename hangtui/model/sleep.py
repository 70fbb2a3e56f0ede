"""A sleep by the clock."""

import math

from hangtui.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Sleep:
    """What a thread or a task sleeps, in seconds. What could not be read is None."""

    total_s: float | None
    left_s: float | None
    """At the time of the look."""

    @property
    def for_ever(self) -> bool:
        """Whether it never ends by itself, as ``sleep_forever()`` of anyio does."""
        return self.total_s == math.inf

    @property
    def lasts_s(self) -> float:
        """How long at most from now on, as far as is known."""
        return (self.total_s or 0.0) if self.left_s is None else self.left_s
