"""What a server of a language model records of itself: its rings of messages, its scheduler."""

from hangtui.dataclass import dataclass
from hangtui.model.node import NodeId
from hangtui.model.pid import Pid


@dataclass(frozen=True, slots=True)
class RingEnd:
    """What one process has of a ring of messages in shared memory, in which each reader marks what
    it has taken."""

    pid: Pid
    ring: str
    """The name of the memory, the same in all processes."""
    writes: bool
    untaken: int
    """To a reader: messages that lie there for it. To the writer: those that not all readers have
    taken."""
    asked: str | None = None
    """Of a reader that waits there for the answer to a command: which one, ``load_weights``; empty:
    its name is not known. None: it waits for none there."""
    places: int = 0
    """How many messages it has room for; 0: not known."""
    readers: int = 0
    """How many readers in shared memory it was made for; 0: not known."""


@dataclass(frozen=True, slots=True)
class Scheduler:
    """What decides which requests an engine runs next."""

    pid: Pid
    paused: str | None
    """How it is paused, in its own words: ``PAUSED_ALL``; None: it is not."""
    requests: int
    """That have not been finished."""
    states: tuple[tuple[str, int], ...] = ()
    """How many of them are in which state, in its own words: ``WAITING_FOR_REMOTE_KVS``; nothing:
    not all of them could be read."""


@dataclass(frozen=True, slots=True)
class Resumer:
    """A thread or task whose code comes to have a paused engine go on, once it goes on itself."""

    actor: NodeId
    call: str
    """As its code spells it: ``engine.resume_generation()``."""
    line: str
    """``main.py:52``."""


@dataclass(frozen=True, slots=True)
class Tuner:
    """A loop that goes round and runs trials, in a thread."""

    thread: NodeId
    states: tuple[tuple[str, int], ...]
    """How many of its trials are in which state, in its own words: ``PAUSED``."""
    started: int
    """How many of them have an actor, or get one."""
    silent_s: float | None
    """Since the last one reported a result; None: not known."""
