"""One wait of a greenlet, and what a scheduler tells of all of them."""

from collections.abc import Mapping
from dataclasses import field
from typing import Protocol

from hangtui.backends.cpython.awaited import Owner
from hangtui.backends.cpython.locks import Lock
from hangtui.dataclass import dataclass
from hangtui.model import Certainty, NodeKind


@dataclass(frozen=True, slots=True)
class Awaited:
    """What a greenlet waits for: a resource, another greenlet, or (neither) something outside."""

    text: str
    """In words; ``{}`` stands for the name of the resource."""
    proof: str = ""
    kind: NodeKind | None = None
    """Of the resource at *address*, if it is one; GREENLET: the end of that one."""
    address: int = 0
    record: int = 0
    """The object that records the wait: the same, or what it is made of."""
    type_name: str = ""
    lock: Lock | None = None
    """The lock, if it is one."""
    owners: tuple[Owner, ...] = ()
    """Those of the greenlets at these addresses that are known to end it."""
    threads: tuple[Owner, ...] = ()
    """The same of threads, by their TIDs."""
    certainty: Certainty = Certainty.CERTAIN
    note: str | None = None
    operation: str | None = None
    call: str | None = None
    name: str = ""
    """What to call it where no variable does."""
    missed: bool = False
    """Its release could not wake this greenlet, and nobody tells it any more."""
    descriptor: int | None = None
    """The file descriptor that it waits for, and nothing else."""
    process: int = 0
    """The child whose end it waits for, as the process itself numbers it."""


@dataclass(frozen=True, slots=True)
class Hub:
    """The greenlet that runs an event loop for the others of its thread."""

    address: int
    type_name: str
    ident: int | None = None
    """``Thread.ident`` of its thread, as it records it."""
    timers: int | None = None
    watched: int | None = None
    signal_handlers: int | None = None


@dataclass(frozen=True, slots=True)
class Scheduled:
    """What one scheduler knows of the greenlets of a process, by their addresses."""

    hubs: tuple[Hub, ...] = ()
    waits: Mapping[int, tuple[Awaited, ...]] = field(default_factory=dict)
    timed: Mapping[int, float] = field(default_factory=dict)
    """When a timer wakes it, by ``time.monotonic()``."""
    due: frozenset[int] = frozenset()
    """Those that the hub switches to at its next turn."""


def waits_for_done(queue: int, record: int, type_name: str, unfinished: int) -> Awaited:
    """A wait until all items of the queue at *queue* are reported done, *unfinished* of which are
    not; *record*: the event that tells of it."""
    return Awaited(
        f"task_done() for every item of {{}} ({unfinished} not yet)",
        f"the queue's own event has it among those to be told; {unfinished} are not done",
        NodeKind.QUEUE,
        queue,
        record,
        type_name,
        note="anybody may call task_done() on it",
        operation="join",
        call="Queue.join",
    )


class Scheduler(Protocol):
    """What switches between greenlets."""

    @property
    def library(self) -> str:
        """Its name."""

    def bases(self) -> Mapping[int, str]:
        """The types whose instances it needs to read, those derived from them too: what each is to
        it, by its address. Empty: it is not in use."""

    def read(self, found: Mapping[str, list[int]]) -> Scheduled:
        """What it knows; *found*: all such instances, by what they are to it.

        Raises:
            LayoutError: it keeps what it knows where no known version does.
            BudgetSpentError: too many objects of this process were looked at.
        """
