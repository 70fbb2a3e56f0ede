"""What a thread or task looks at between one sleep and the next, until it may go on."""

from hangtui.dataclass import dataclass
from hangtui.model.node import NodeId
from hangtui.model.pid import Pid

OWN_THREAD = "its own thread"
"""What ``thread.is_alive()`` of the very thread is that asks for it."""


@dataclass(frozen=True, slots=True)
class Changer:
    """A thread or task whose code comes to what changes it. An inference, always."""

    actor: NodeId
    place: str
    """The function and its line: ``Server.run (server.py:9)``."""


@dataclass(frozen=True, slots=True)
class LoneMemory:
    """A piece of shared memory that no other process has mapped."""

    name: str
    removed: bool
    """Whether its name was removed: none can map it any more."""
    again: bool = False
    """Whether there is one of that name now, which the process has not mapped."""
    others: tuple[Pid, ...] = ()
    """Who has that one mapped."""


@dataclass(frozen=True, slots=True)
class CommonMemory:
    """A piece of shared memory that other processes have mapped as well."""

    name: str
    others: tuple[Pid, ...]
    """Who else has it mapped, of those that we may look into: eight at most."""


@dataclass(frozen=True, slots=True)
class Polled:
    """A loop that sleeps, and is left once something has changed that other code changes."""

    waiter: NodeId
    looks_at: tuple[str, ...]
    """As the loop's code spells it: ``job.done``, ``self.is_ready()``."""
    where: str | None
    """``file:line`` of the sleep."""
    changers: tuple[Changer, ...] = ()
    written: tuple[str, ...] = ()
    """Functions of the program that change it and that nobody runs: ``Job.run (jobs.py:8)``."""
    file: str | None = None
    """The path that it asks for, whether there is such a file; None: it asks for none, or which one
    is not known."""
    is_there: bool | None = None
    """Whether that was there when it was read; None: not known."""
    values: tuple[str | None, ...] = ()
    """What each of these was: ``True``, ``None``, ``empty``, `OWN_THREAD`; None: something else, or
    not known."""
    asks: str | None = None
    """Of a loop in a package: the class of the program's own object that it asks there, by way of
    objects of the package: ``Grid``; None: none, or not known."""
    of_packages: bool = False
    """All of it are attributes of objects whose classes are installed packages'."""
    makers: tuple[str, ...] = ()
    """Functions of the program whose code makes that file, if it is not there, or else deletes it,
    by the last part of its path: ``update (sync.py:31)``. Other processes may run them."""
    past: tuple[str, ...] = ()
    """Functions of the program that change it and that only the one that looks is inside of, past
    the place where they do: ``Barrier.wait (barrier.py:23)``."""
    memory: LoneMemory | None = None
    """What it looks into, if only its own process has that now."""
    common: CommonMemory | None = None
    """What it looks into, if that is shared memory which others have as well."""


@dataclass(frozen=True, slots=True)
class Looking:
    """A loop that sleeps, or waits with a timeout, and does nothing else but look at objects of its
    own process: as long as no other thread or task changes one of these, it goes round."""

    waiter: NodeId
    endless: bool
    """It is left only if what it waits for comes before the time is over. False: an object that it
    looks at tells whether it goes on."""
    alters: bool
    """It sets attributes of objects, such as a count of its turns."""
    asks_children: bool = False
    """It asks whether children of its process have ended, too, and may go on once one has."""
    tells: bool = False
    """It prints something on the way: whoever reads that may do something about it."""
