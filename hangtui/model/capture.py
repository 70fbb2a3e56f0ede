"""A capture: everything known about one or more targets at one moment."""

from dataclasses import field
from enum import StrEnum

from hangtui._version import __version__
from hangtui.dataclass import dataclass
from hangtui.model.actor_pool import ActorPool
from hangtui.model.collective import Collective
from hangtui.model.connection import Network, TcpEnd
from hangtui.model.could_wake import CouldWake
from hangtui.model.crash import Crash
from hangtui.model.database import DatabaseKept, DatabaseLock, DatabaseSession, DatabaseUse
from hangtui.model.dispatched import Dispatched
from hangtui.model.entered_twice import EnteredTwice
from hangtui.model.executor import Executor, Turnover
from hangtui.model.far_end import FarEnd
from hangtui.model.handled import Handled
from hangtui.model.inward import Inward
from hangtui.model.joining import Collected, Exchange, Joining, MessageSenders, StoreKeys
from hangtui.model.model_engine import Resumer, RingEnd, Scheduler, Tuner
from hangtui.model.node import NodeId
from hangtui.model.pid import Pid
from hangtui.model.polled import Looking, Polled
from hangtui.model.process import Process, Thread
from hangtui.model.progress import Arrivals, Growth, Handover, Progress, Stay, Unheld
from hangtui.model.remote_call import RemoteCall, RpcWorker
from hangtui.model.resource import Hold, Resource, Wait
from hangtui.model.retried import Retried
from hangtui.model.sockets import Listening, Unattended, Unconnected, Watched
from hangtui.model.task import EventLoop, Task
from hangtui.model.worker_queue import WorkerQueue

SCHEMA = "hangtui.capture/1"


class Part(StrEnum):
    """What arrives in a capture one after the other while it grows."""

    WAITS = "waits and Python stacks"
    NATIVE = "native stacks"
    STILLNESS = "stillness"
    GPUS = "GPU use"


@dataclass(frozen=True, slots=True)
class Tool:
    """The program that made a capture."""

    name: str = "hangtui"
    version: str = __version__


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that is missing in a capture, and how to get it."""

    source: str
    message: str
    fix: str | None = None
    """The exact command or setting that mends it."""
    pid: Pid | None = None
    tracer_pid: Pid | None = None
    """The process that holds *pid* by ptrace, where that is what is said."""


_FEW = 8
"""Fewer processes than this are looked through; rules ask for those of jobs of thousands."""


class _ByPid:
    """The processes of the last capture that somebody asked, by their PIDs: frozen objects with
    slots have no room for it."""

    def __init__(self) -> None:
        self._last: tuple[tuple[Process, ...], dict[int, Process]] = ((), {})

    def of(self, processes: tuple[Process, ...]) -> dict[int, Process]:
        """The first one of each PID."""
        known, found = self._last
        if known is not processes:
            found = {process.pid: process for process in reversed(processes)}
            self._last = processes, found
        return found


_by_pid = _ByPid()


@dataclass(frozen=True, slots=True, eq=False)
class Capture:
    """Everything known at one moment.

    Compared by identity: captures are large, and one is never changed after it was made.
    """

    taken_at: str
    """ISO 8601 with the offset, UTC."""
    host: str
    processes: tuple[Process, ...] = ()
    resources: tuple[Resource, ...] = ()
    waits: tuple[Wait, ...] = ()
    holds: tuple[Hold, ...] = ()
    could_wake: tuple[CouldWake, ...] = ()
    """Who could end waits for what nobody holds; see ``Resource.wakers_known``."""
    handled: tuple[Handled, ...] = ()
    polled: tuple[Polled, ...] = ()
    """What loops that sleep look at in between."""
    spinning: tuple[Polled, ...] = ()
    """What loops look at that do not sleep, and do nothing else."""
    looking: tuple[Looking, ...] = ()
    dispatched: tuple[Dispatched, ...] = ()
    entered_twice: tuple[EnteredTwice, ...] = ()
    retried: tuple[Retried, ...] = ()
    """Those of threads and tasks that do nothing else."""
    tasks: tuple[Task, ...] = ()
    """Tasks of asyncio that are not done."""
    event_loops: tuple[EventLoop, ...] = ()
    executors: tuple[Executor, ...] = ()
    """The pools of worker processes that somebody waits for."""
    worker_queues: tuple[WorkerQueue, ...] = ()
    """Work that nobody can begin before one of those goes on who are inside of earlier work."""
    database_locks: tuple[DatabaseLock, ...] = ()
    """Those of SQLite on files that captured processes have open, where one of these sleeps."""
    database_uses: tuple[DatabaseUse, ...] = ()
    """Of the processes that have such a file open."""
    database_kept: tuple[DatabaseKept, ...] = ()
    """Of the same."""
    database_sessions: tuple[DatabaseSession, ...] = ()
    """Of the servers of this machine one of whose sessions is waited for."""
    watched: tuple[Watched, ...] = ()
    """What threads watch in poll, select and epoll along with other things."""
    listening: tuple[Listening, ...] = ()
    """What of this others may connect to."""
    unconnected: tuple[Unconnected, ...] = ()
    inward: tuple[Inward, ...] = ()
    """Who alone could wake threads through what these have open."""
    far_ends: tuple[FarEnd, ...] = ()
    """Who has the other ends of connections at which tasks wait for data."""
    unattended: tuple[Unattended, ...] = ()
    """Connections with data that nobody of their processes takes."""
    tcp_ends: tuple[TcpEnd, ...] = ()
    """Those of connections whose other ends other captures may hold."""
    networks: tuple[Network, ...] = ()
    """The network namespaces of these ends."""
    joinings: tuple[Joining, ...] = ()
    """Who makes process groups of torch."""
    collected: tuple[Collected, ...] = ()
    """Ranks that have ended, by their launchers."""
    exchanges: tuple[Exchange, ...] = ()
    """The messages that ranks wait in."""
    store_keys: tuple[StoreKeys, ...] = ()
    """What calls of a job's store were given."""
    message_senders: tuple[MessageSenders, ...] = ()
    """Of processes that wait to receive."""
    remote_calls: tuple[RemoteCall, ...] = ()
    """What threads wait for in torch's remote calls."""
    rpc_workers: tuple[RpcWorker, ...] = ()
    """Who takes part in them."""
    actor_pools: tuple[ActorPool, ...] = ()
    """The pools of actors whose work threads wait for."""
    ring_ends: tuple[RingEnd, ...] = ()
    """What lies in the rings of messages between a server's processes."""
    schedulers: tuple[Scheduler, ...] = ()
    """Of its engines."""
    resumers: tuple[Resumer, ...] = ()
    """Who comes to have such an engine go on."""
    tuners: tuple[Tuner, ...] = ()
    """The loops that run trials."""
    collectives: tuple[Collective, ...] = ()
    """What the flight recorders of a job's ranks have."""
    crash: Crash | None = None
    """What ended one of the processes, or is about to."""
    origin: str | None = None
    """The file that it was read from; None: live processes."""
    progress: tuple[Progress, ...] = ()
    """What threads did over the captures before this one; empty if there were none."""
    stays: tuple[Stay, ...] = ()
    """The tasks that waited all the time."""
    given: tuple[NodeId, ...] = ()
    """What tasks waited for in one of these captures, and not in the next; and the pools of which
    others had something in the next."""
    unheld: tuple[Unheld, ...] = ()
    """What nobody was seen to have in any of these captures, though in each of them tasks waited
    for it."""
    arrivals: tuple[Arrivals, ...] = ()
    """The connections over which data came meanwhile."""
    handovers: tuple[Handover, ...] = ()
    """The locks that were seen to change hands over these captures."""
    turnovers: tuple[Turnover, ...] = ()
    """The executors that started workers over these captures."""
    growth: tuple[Growth, ...] = ()
    """The processes that used more memory in each of these captures."""
    notices: tuple[Notice, ...] = ()
    pending: tuple[str, ...] = ()
    """The parts (``Part``) that have not arrived yet; empty once it is complete."""
    hosts: tuple[str, ...] = ()
    """Where it holds several machines: their names as they stand in node ids and behind PIDs."""
    took_ms: float | None = None
    """How long the taking lasted, in milliseconds."""
    schema: str = SCHEMA
    tool: Tool = field(default_factory=Tool)

    @property
    def complete(self) -> bool:
        """Whether all sources have answered."""
        return not self.pending

    def threads(self) -> tuple[Thread, ...]:
        """All threads of all processes."""
        if len(self.processes) == 1:
            return self.processes[0].threads
        return tuple(thread for process in self.processes for thread in process.threads)

    def process(self, pid: int) -> Process | None:
        """The process with this PID."""
        if len(self.processes) < _FEW:
            return next((p for p in self.processes if p.pid == pid), None)
        return _by_pid.of(self.processes).get(pid)

    def chosen(self, pid: int | None) -> tuple[Process, ...]:
        """The process with this PID, if it is there; None: all."""
        if pid is None:
            return self.processes
        process = self.process(pid)
        return (process,) if process else ()

    def thread(self, node: str) -> Thread | None:
        """The thread with this node id."""
        return next((t for t in self.threads() if t.id == node), None)

    def resource(self, node: str) -> Resource | None:
        """The resource with this node id."""
        return next((r for r in self.resources if r.id == node), None)
