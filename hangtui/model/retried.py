"""What a package's loop is about to call again."""

from hangtui.dataclass import dataclass
from hangtui.model.node import NodeId


@dataclass(frozen=True, slots=True)
class Retried:
    """A function of the application that a package was given by it, and whose code comes to a call
    of it again, as far as it goes on."""

    actor: NodeId
    """The thread or task that is in the package's code."""
    call: str
    """``fetch_rates (rates.py:4)``: the function, and where it begins."""
    times: int | None = None
    """The number of the attempt, as the package counts them; None: it is not seen to count."""
    inside: str | None = None
    """The package's function, if that comes back there only once something was raised, so that one
    call of it goes on until an attempt gets through: ``Redis.transaction``; None: not so."""
    bindings: int | None = None
    """A number that changes when the program calls that anew; None: not known."""
    lasted_s: float = 0.0
    """For how long several looks, at least three, met one and the same call of it."""
