"""A call of futex(2), and what it turned out to wait for."""

from hangtui.dataclass import dataclass
from hangtui.model import Certainty, NodeKind

_COMMAND_MASK = 0x7F
_PRIVATE = 0x80
"""linux/futex.h: FUTEX_PRIVATE_FLAG."""


@dataclass(frozen=True, slots=True)
class FutexCall:
    """The arguments of a futex(2) call that a thread is blocked in."""

    address: int
    operation: int
    value: int
    timeout: int
    """Address of the timeout; 0: none."""

    @property
    def command(self) -> int:
        """The operation without its flags."""
        return self.operation & _COMMAND_MASK

    @property
    def private(self) -> bool:
        """Whether only threads of the same process can be meant."""
        return bool(self.operation & _PRIVATE)

    @property
    def expires(self) -> bool:
        """Whether the wait has a timeout."""
        return self.timeout != 0


@dataclass(frozen=True, slots=True)
class FutexWait:
    """A decoded wait."""

    kind: NodeKind
    address: int
    """Of the lock object, or of the word where the object is not known."""
    certainty: Certainty
    text: str
    owner_tid: int | None = None
    """As the capturing host numbers threads; None: not recorded, or nobody."""
    owner_is_thread: bool = True
    """False: the recorded owner is no thread of this process: it ended, or was left by a fork."""
    joins: bool = False
    """The wait is for the end of the thread *owner_tid*."""
    operation: str | None = None
    behind: str | None = None
    """Who is to get the lock first, in words."""
    note: str | None = None
    untold: bool = False
    """It is taken by threads of this process, and nothing tells which."""
    expires: bool = False


def ownerless(call: FutexCall, kind: NodeKind, address: int, text: str) -> FutexWait:
    """A wait for what nobody can be told to hold."""
    return FutexWait(kind, address, Certainty.CERTAIN, text, expires=call.expires)
