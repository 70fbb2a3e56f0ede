"""A pool of worker processes, as the process that it serves records it."""

from hangtui.dataclass import dataclass
from hangtui.model.node import NodeId
from hangtui.model.pid import Pid


@dataclass(frozen=True, slots=True)
class Helper:
    """A thread that an executor started for its own work."""

    role: str
    """The function that it runs: ``_handle_results``."""
    name: str | None = None
    """Its Python thread name."""
    tid: Pid | None = None
    """None: it is no thread of the process, or it cannot be told which."""
    ended: bool | None = None
    """It was seen to have ended; None: whether it has cannot be told."""


@dataclass(frozen=True, slots=True)
class Executor:
    """A ``multiprocessing.Pool``, a ``ProcessPoolExecutor`` or one of their kind that somebody
    waits for. Counts that could not be read are None."""

    pid: Pid
    address: int
    type_name: str
    """``multiprocessing.pool.Pool``."""
    waiters: tuple[NodeId, ...] = ()
    """The threads that wait for a result of it."""
    helpers: tuple[Helper, ...] = ()
    size: int | None = None
    """How many workers it is to have."""
    workers: int | None = None
    """How many it has by its own list."""
    started: int | None = None
    """How many processes `multiprocessing` has started for the program: its workers, and others."""
    renews: bool | None = None
    """Whether it replaces workers after some tasks, as it was told to."""
    initializer: str | None = None
    """The function that each worker begins with."""
    pending: int | None = None
    """Results that are still to come."""
    worker_pids: tuple[Pid, ...] = ()
    """The processes in its list of workers; empty: it has none, or they could not be read."""
    terminated: bool | None = None
    """Whether it was told to end at once, without what is left to do; None: not known."""
    terminated_in: tuple[str, ...] = ()
    """The functions of the program whose code tells it so: ``on_fault (press.py:31)``."""

    @property
    def title(self) -> str:
        """``Pool``."""
        return self.type_name.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Turnover:
    """The workers that an executor started over several captures."""

    pid: Pid
    address: int
    looks: int
    lasted_s: float
    """Seconds from the first of them to the last; more than 0."""
    started: int
    replaced: bool = False
    """Whether none of the workers that it had first is among those that it had last."""
