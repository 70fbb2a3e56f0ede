"""A call by which a frame, or what it calls, would end a wait."""

from typing import NamedTuple

from hangtui.model import Complement


class Reach(NamedTuple):
    """A call that ends a wait."""

    target: int
    complement: Complement
    text: str
    """``self.ready.notify``."""
    line: str
    """``file:line``."""
    of_others: bool
    """What it is called on comes from where the target is not."""
    kept: bool = False
    """What it is called on is taken out of a container in which the target lies."""
    leaving: int = 0
    """The type of the manager of a ``with`` whose end calls that."""
    within: str | None = None
    """The function in which it stands, where the frame calls that; None: its own code."""
    takes: bool = False
    """It stands in a function that takes items in a loop, from what waits for one to be taken."""


def order(reach: Reach) -> tuple[bool, bool, bool, bool]:
    """Which of several is told of: code that could not do what it is there for ends a wait without
    a result, and what a frame does itself tells more than what it calls for that."""
    fails = reach.text.endswith(("set_exception", "cancel"))
    return reach.of_others, fails, not reach.leaving, reach.within is not None
