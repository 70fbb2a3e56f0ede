"""Waits that lead from one process into another: children, pipes, sockets, file locks, shared
memory.

All of it is read from /proc, by system call arguments in memory and by one question to the kernel
(netlink): nothing is stopped. One module per mechanism.
"""

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace

from hangtui.backends.facts import Facts
from hangtui.backends.ipc import (
    databases,
    ends,
    eventfds,
    family,
    far_ends,
    left_files,
    lingering,
    lockfiles,
    managed_locks,
    mapped_files,
    message_queues,
    multiplexed,
    notified,
    pipes,
    polled_processes,
    postgres,
    semaphores,
    shared,
    sysv,
    task_descriptors,
    task_ends,
    task_pipes,
    task_streams,
    terminals,
    timerfds,
    unattended,
    unconnected,
    watched,
)
from hangtui.backends.ipc.channel_calls import Demand, transfer
from hangtui.backends.ipc.descriptors import Descriptors
from hangtui.backends.ipc.filelocks import FileLocks
from hangtui.backends.ipc.inward import Inwards
from hangtui.backends.ipc.peer import Peer, Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.ipc.sharers import shared_identity
from hangtui.backends.ipc.sockets import Sockets
from hangtui.backends.memory.damage import DamagedDataError, foreign_data
from hangtui.backends.procfs import life
from hangtui.model import Process, clean

__all__ = ["Peer", "Relations", "shared_identity"]

_FIRST_S, _THREAD_S, _LIMIT_S = 1.0, 0.002, 4.0
"""What the waits of one process may cost of a processor, in seconds: with one thread, for each
further one, and at most. A thread takes some 0.2 ms."""
_MOST_NOTICES = 3
_REASON = 200


class Relations:
    """What threads of *peers* wait for in the kernel, and who holds it, is added to *facts*.

    What they wait for in memory must be there already.
    """

    def __init__(self, peers: Iterable[Peer], facts: Facts) -> None:
        self._facts = facts
        self._scene = scene = Scene({peer.pid: peer for peer in peers}, facts)
        self.notices = scene.notices
        """What could not be read."""
        self._inwards = Inwards(scene, Sockets(scene))
        try:
            relation = _Relation(scene, self._inwards)
            for peer in scene.peers.values():
                relation.follow(peer)
            lockfiles.add(scene, relation.locks)
            polled_processes.add(scene)
            shared.unify(scene)
            semaphores.add(scene)
            managed_locks.add(scene)
            mapped_files.add(scene)
            ends.add(scene)
            far_ends.add(scene, relation.sockets)
            unconnected.add(scene, relation.sockets)
            unattended.add(scene, relation.sockets)
            task_streams.add(scene, relation.sockets)
            task_ends.add(scene, relation.sockets)
            task_pipes.add(scene)
            task_descriptors.add(scene, relation.sockets)
            databases.add(scene)
            postgres.add(scene)
        finally:
            scene.descriptors.close()

    def confirm(self, processes: Mapping[int, Process]) -> None:
        """Take back what is not true to the end of the watch; *processes*: as they were seen then.

        Descriptors are looked through once more, if somebody may have come to have one.
        """
        premises, facts = self._scene.premises, self._facts
        premises.doubt(facts, processes)
        far_ends.confirm(self._scene, processes)
        claimed = premises.claimed(facts, processes)
        births = life.births()
        born = births is None or births != self._scene.births
        now = Descriptors() if born and (claimed or facts.inward) else self._scene.descriptors
        if claimed and born:
            premises.add_new(facts, sorted(claimed), now)
        self._inwards.confirm(facts, processes, now)


class _Relation:
    """Asks one mechanism after the other."""

    def __init__(self, scene: Scene, inwards: Inwards) -> None:
        self._scene = scene
        self._inwards = inwards
        self.sockets = inwards.sockets
        self.locks = FileLocks(scene)

    def follow(self, peer: Peer) -> None:
        """Add what the threads of one process wait for, within what one process may cost."""
        waiting = [Sleeper(peer, tid, where) for tid, where in peer.asleep.items()
                   if where.call not in ("futex", "")]  # fmt: skip
        failures: list[str] = []
        deadline = time.thread_time() + min(_LIMIT_S, _FIRST_S + _THREAD_S * len(waiting))
        for done, sleeper in enumerate(waiting):
            if time.thread_time() > deadline:
                left = f"of {len(waiting) - done} of its threads it is not known"
                message = f"its waits for other processes take too long to follow: {left}"
                self._scene.notice(message, pid=peer.pid)
                break
            deadline += self._scene.descriptors.take_time()  # that was not for this one
            self._add(sleeper, failures)
        for failure in failures[:_MOST_NOTICES]:
            self._scene.notice(failure, pid=peer.pid)
        if len(failures) > _MOST_NOTICES:
            more = f"what {len(failures) - _MOST_NOTICES} other threads wait for"
            self._scene.notice(f"{more} cannot be followed either", pid=peer.pid)

    def _add(self, sleeper: Sleeper, failures: list[str]) -> None:
        """Add what one thread waits for; what cannot be read of it costs it alone."""
        before = self._scene.mark()
        try:
            with foreign_data():
                if not sleeper.stopped:
                    self._inwards.add_accepting(sleeper)
                    self._by_call(sleeper) or self._by_descriptor(sleeper)
        except (OSError, LookupError, DamagedDataError) as error:
            self._scene.go_back(before)
            if life.of_thread(sleeper.pid, sleeper.tid) is life.Fate.ENDED:
                return
            reason = clean(str(error), _REASON)
            failures.append(f"what thread {sleeper.tid} waits for cannot be followed: {reason}")

    def _by_call(self, sleeper: Sleeper) -> bool:
        return (
            family.add(self._scene, sleeper)
            or self.locks.add(sleeper)
            or sysv.add(self._scene, sleeper)
            or message_queues.add(self._scene, sleeper)
            or self.sockets.add_call(sleeper)
            or pipes.add_opening(self._scene, sleeper)
            or lingering.add(self._scene, self.sockets, sleeper)
            or self.locks.add_lease(sleeper)
        )

    def _by_descriptor(self, sleeper: Sleeper) -> bool:
        left_files.forget(self._scene, sleeper)
        own = transfer(sleeper.where)
        demands = [own] if own else multiplexed.demands(sleeper, self._scene.descriptors)
        self._inwards.add(sleeper, demands)
        demands = notified.possible(self._scene, sleeper, demands)
        if len(demands) == 1:
            return self._only(sleeper, demands[0])
        return bool(demands) and self._any_of(sleeper, demands)

    def _only(self, sleeper: Sleeper, demand: Demand) -> bool:
        """Add the one thing that would wake a thread."""
        waits = self._scene.facts.waits
        known = len(waits)
        found = self._demand(sleeper, demand)
        if demand.edge and len(waits) > known:
            waits[-1] = replace(waits[-1], only_new=True)
        return found

    def _any_of(self, sleeper: Sleeper, demands: list[Demand]) -> bool:
        """Add all that would wake a thread, or nothing: unless whoever can is known for each."""
        before = self._scene.mark()
        waits = self._scene.facts.waits
        for demand in demands:
            known = len(waits)
            if not self._demand(sleeper, demand) or len(waits) == known:
                break
        else:
            if self._scene.all_held_since(before):
                return True
        self._scene.go_back(before)
        watched.add(self._scene, self.sockets, sleeper, demands)
        return False

    def _demand(self, sleeper: Sleeper, demand: Demand) -> bool:
        link = self._scene.descriptors.link(sleeper.pid, demand.fd)
        if link is None:
            return False
        return (
            family.add_descriptor(self._scene, sleeper, demand, link)
            or pipes.add(self._scene, sleeper, demand, link)
            or terminals.add(self._scene, sleeper, demand, link)
            or notified.add(self._scene, sleeper, demand, link)
            or eventfds.add(self._scene, sleeper, demand, link)
            or timerfds.add(self._scene, sleeper, demand, link)
            or self.sockets.add(sleeper, demand, link)
        )
