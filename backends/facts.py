"""Resources, waits and holds while they are gathered from several sources."""

from collections.abc import Iterable, Iterator
from dataclasses import field, replace

from hangtui.dataclass import dataclass
from hangtui.model import (
    ActorPool,
    Capture,
    Certainty,
    Collected,
    CouldWake,
    DatabaseKept,
    DatabaseLock,
    DatabaseSession,
    DatabaseUse,
    Dispatched,
    EnteredTwice,
    EventLoop,
    Exchange,
    Executor,
    FarEnd,
    Handled,
    Hold,
    Inward,
    Joining,
    Listening,
    Looking,
    MessageSenders,
    Network,
    NodeId,
    NodeKind,
    Polled,
    RemoteCall,
    Resource,
    Resumer,
    Retried,
    RingEnd,
    RpcWorker,
    Scheduler,
    StoreKeys,
    Task,
    TcpEnd,
    Tuner,
    Unattended,
    Unconnected,
    Wait,
    Watched,
    WorkerQueue,
)

_ANSWERING = frozenset({NodeKind.ACTOR, NodeKind.WORKER})


@dataclass(slots=True)
class Facts:
    """What is known so far of who waits for what, and who holds it."""

    resources: dict[NodeId, Resource] = field(default_factory=dict)
    """By node id."""
    waits: list[Wait] = field(default_factory=list)
    holds: list[Hold] = field(default_factory=list)
    could_wake: list[CouldWake] = field(default_factory=list)
    handled: list[Handled] = field(default_factory=list)
    polled: list[Polled] = field(default_factory=list)
    spinning: list[Polled] = field(default_factory=list)
    looking: list[Looking] = field(default_factory=list)
    retried: list[Retried] = field(default_factory=list)
    dispatched: list[Dispatched] = field(default_factory=list)
    entered_twice: list[EnteredTwice] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)
    event_loops: list[EventLoop] = field(default_factory=list)
    executors: list[Executor] = field(default_factory=list)
    worker_queues: list[WorkerQueue] = field(default_factory=list)
    database_locks: list[DatabaseLock] = field(default_factory=list)
    database_uses: list[DatabaseUse] = field(default_factory=list)
    database_kept: list[DatabaseKept] = field(default_factory=list)
    database_sessions: list[DatabaseSession] = field(default_factory=list)
    watched: list[Watched] = field(default_factory=list)
    listening: list[Listening] = field(default_factory=list)
    unconnected: list[Unconnected] = field(default_factory=list)
    inward: list[Inward] = field(default_factory=list)
    far_ends: list[FarEnd] = field(default_factory=list)
    unattended: list[Unattended] = field(default_factory=list)
    tcp_ends: list[TcpEnd] = field(default_factory=list)
    networks: list[Network] = field(default_factory=list)
    joinings: list[Joining] = field(default_factory=list)
    collected: list[Collected] = field(default_factory=list)
    exchanges: list[Exchange] = field(default_factory=list)
    store_keys: list[StoreKeys] = field(default_factory=list)
    message_senders: list[MessageSenders] = field(default_factory=list)
    remote_calls: list[RemoteCall] = field(default_factory=list)
    rpc_workers: list[RpcWorker] = field(default_factory=list)
    actor_pools: list[ActorPool] = field(default_factory=list)
    ring_ends: list[RingEnd] = field(default_factory=list)
    schedulers: list[Scheduler] = field(default_factory=list)
    resumers: list[Resumer] = field(default_factory=list)
    tuners: list[Tuner] = field(default_factory=list)

    def add_hold(self, hold: Hold) -> None:
        """Add a hold, unless it is known."""
        if hold not in self.holds:
            self.holds.append(hold)

    def forget(self, pid: int, instead: Iterable[Hold] = ()) -> None:
        """Leave out what threads and tasks of a process wait for and hold, and those themselves.

        *instead*: what is known of its holds nevertheless.
        """
        instead = tuple(instead)
        self.waits[:] = [wait for wait in self.waits if not _acts_in(pid, wait.waiter)]
        kept = [hold for hold in self.holds if not _acts_in(pid, hold.holder)]
        self.holds[:] = [*kept, *instead]
        self.could_wake[:] = [one for one in self.could_wake if not _acts_in(pid, one.candidate)]
        self.handled[:] = [one for one in self.handled if not _acts_in(pid, one.actor)]
        self.polled[:] = [one for one in self.polled if not _acts_in(pid, one.waiter)]
        self.spinning[:] = [one for one in self.spinning if not _acts_in(pid, one.waiter)]
        self.looking[:] = [one for one in self.looking if not _acts_in(pid, one.waiter)]
        self.retried[:] = [one for one in self.retried if not _acts_in(pid, one.actor)]
        self.dispatched[:] = [one for one in self.dispatched if one.waiter.pid != pid]
        self.entered_twice[:] = [one for one in self.entered_twice if one.thread.pid != pid]
        self.tasks[:] = [task for task in self.tasks if task.pid != pid]
        self.event_loops[:] = [loop for loop in self.event_loops if loop.pid != pid]
        self.executors[:] = [one for one in self.executors if one.pid != pid]
        self.worker_queues[:] = [one for one in self.worker_queues if one.pid != pid]
        self.database_locks[:] = [one for one in self.database_locks if one.pid != pid]
        self.database_uses[:] = [one for one in self.database_uses if one.thread.pid != pid]
        self.database_kept[:] = [one for one in self.database_kept if one.pid != pid]
        self.watched[:] = [one for one in self.watched if one.thread.pid != pid]
        self.listening[:] = [one for one in self.listening if one.thread.pid != pid]
        self.unconnected[:] = [one for one in self.unconnected if one.pid != pid]
        self.inward[:] = [one for one in self.inward if one.thread.pid != pid]
        self.far_ends[:] = [one for one in self.far_ends if not _acts_in(pid, one.task)]
        self.unattended[:] = [one for one in self.unattended if one.pid != pid]
        self.tcp_ends[:] = [one for one in self.tcp_ends if one.pid != pid]
        self.remote_calls[:] = [o for o in self.remote_calls if not _acts_in(pid, o.thread)]
        self.rpc_workers[:] = [one for one in self.rpc_workers if one.pid != pid]
        self.actor_pools[:] = [one for one in self.actor_pools if one.pid != pid]
        self.ring_ends[:] = [one for one in self.ring_ends if one.pid != pid]
        self.schedulers[:] = [one for one in self.schedulers if one.pid != pid]
        self.resumers[:] = [one for one in self.resumers if not _acts_in(pid, one.actor)]
        self.tuners[:] = [one for one in self.tuners if not _acts_in(pid, one.thread)]
        self.collected[:] = [one for one in self.collected if one.parent != pid]
        self.exchanges[:] = [one for one in self.exchanges if not _acts_in(pid, one.thread)]
        self.store_keys[:] = [one for one in self.store_keys if not _acts_in(pid, one.thread)]
        self.message_senders[:] = [one for one in self.message_senders if one.pid != pid]
        self.joinings[:] = [one for one in self.joinings if not _acts_in(pid, one.thread)]

    def copy(self) -> "Facts":
        """The same facts, to which others can be added."""
        return Facts(
            dict(self.resources),
            list(self.waits),
            list(self.holds),
            list(self.could_wake),
            list(self.handled),
            list(self.polled),
            list(self.spinning),
            list(self.looking),
            list(self.retried),
            list(self.dispatched),
            list(self.entered_twice),
            list(self.tasks),
            list(self.event_loops),
            list(self.executors),
            list(self.worker_queues),
            list(self.database_locks),
            list(self.database_uses),
            list(self.database_kept),
            list(self.database_sessions),
            list(self.watched),
            list(self.listening),
            list(self.unconnected),
            list(self.inward),
            list(self.far_ends),
            list(self.unattended),
            list(self.tcp_ends),
            list(self.networks),
            list(self.joinings),
            list(self.collected),
            list(self.exchanges),
            list(self.store_keys),
            list(self.message_senders),
            list(self.remote_calls),
            list(self.rpc_workers),
            list(self.actor_pools),
            list(self.ring_ends),
            list(self.schedulers),
            list(self.resumers),
            list(self.tuners),
        )

    def added_to(self, base: Capture) -> Capture:
        """*base* with these facts."""
        return replace(
            base,
            resources=tuple(self.resources.values()),
            waits=tuple(self._to_calls()),
            holds=tuple(self.holds),
            could_wake=tuple(self.could_wake),
            handled=tuple(self.handled),
            polled=tuple(self.polled),
            spinning=tuple(self.spinning),
            looking=tuple(self.looking),
            retried=tuple(self.retried),
            dispatched=tuple(self.dispatched),
            entered_twice=tuple(self.entered_twice),
            tasks=tuple(self.tasks),
            event_loops=tuple(self.event_loops),
            executors=tuple(self.executors),
            worker_queues=tuple(self.worker_queues),
            database_locks=tuple(self.database_locks),
            database_uses=tuple(self.database_uses),
            database_kept=tuple(self.database_kept),
            database_sessions=tuple(self.database_sessions),
            watched=tuple(self.watched),
            listening=tuple(self.listening),
            unconnected=tuple(self.unconnected),
            inward=tuple(self.inward),
            far_ends=tuple(self.far_ends),
            unattended=tuple(self.unattended),
            tcp_ends=tuple(self.tcp_ends),
            networks=tuple(self.networks),
            joinings=tuple(self.joinings),
            collected=tuple(self.collected),
            exchanges=tuple(self.exchanges),
            store_keys=tuple(self.store_keys),
            message_senders=tuple(self.message_senders),
            remote_calls=tuple(self.remote_calls),
            rpc_workers=tuple(self.rpc_workers),
            actor_pools=tuple(self.actor_pools),
            ring_ends=tuple(self.ring_ends),
            schedulers=tuple(self.schedulers),
            resumers=tuple(self.resumers),
            tuners=tuple(self.tuners),
        )

    def _to_calls(self) -> Iterator[Wait]:
        """The waits, those for actors leading to the very calls that are known to run: none of
        their results has come. Who needs all results waits for these in any case; which of the
        others have come is not known."""
        run = {hold.resource for hold in self.holds if hold.resource.kind is NodeKind.CALL}
        if not run:
            yield from self.waits
            return
        known = {wait.waiter for wait in self.waits if run.intersection(wait.calls)}
        for wait in self.waits:
            if wait.waiter not in known or wait.target.kind not in _ANSWERING:
                yield wait
                continue
            evidence = replace(wait.evidence, certainty=Certainty.PROVEN)
            for call in wait.calls:
                if call in run:
                    yield replace(wait, target=call, evidence=evidence, together=True)

    def awaited_holders(self) -> set[NodeId]:
        """Node ids of those that hold what somebody waits for."""
        awaited = {wait.target for wait in self.waits}
        return {hold.holder for hold in self.holds if hold.resource in awaited}

    def explain(self, threads: Iterable[str]) -> bool:
        """Whether each of *threads* itself waits for something whose holder is surely known.

        Then the facts speak for themselves. A thread that merely sleeps with something in its
        hands must be seen doing so for longer.
        """
        held = {
            hold.resource
            for hold in self.holds
            if hold.evidence.certainty.supports_claim and hold.holder.kind is NodeKind.THREAD
        }
        explained = {
            wait.waiter
            for wait in self.waits
            if wait.target in held or wait.target.kind is NodeKind.THREAD
        }
        return explained.issuperset(threads)


def _acts_in(pid: int, node: NodeId) -> bool:
    """Whether it is a thread, a task or a greenlet of process *pid*."""
    return node.pid == pid and node.kind in (NodeKind.THREAD, NodeKind.TASK, NodeKind.GREENLET)
