"""Objects whose methods end a wait for another one."""

from hangtui.dataclass import dataclass
from hangtui.model import NodeId


@dataclass(frozen=True, slots=True)
class Other:
    """A wrapper of what is waited for, or the other end of a channel."""

    address: int
    resource: NodeId
    """What is waited for."""
    is_end: bool = False
