"""Waits for pools and limiters of libraries, and who has what they lend, in the model's words."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.application import application_place, before_application
from hangtui.backends.cpython.classes import Classes
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.pools.anchors import Anchor, Anchors
from hangtui.backends.cpython.pools.counts import Counts
from hangtui.backends.cpython.pools.loans import Loan, Loans, Sign
from hangtui.backends.cpython.pools.records import Records
from hangtui.backends.cpython.pools.renewed import Renewed
from hangtui.backends.cpython.pools.whole_waits import way_to, whole_waits
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.thread_locals import thread_locals
from hangtui.backends.cpython.time_limits import unlimited
from hangtui.backends.facts import Facts
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.packages.python import package_of
from hangtui.dataclass import dataclass
from hangtui.model import (
    Certainty,
    Evidence,
    Hold,
    NodeId,
    NodeKind,
    Resource,
    Source,
    Task,
    TaskState,
    Wait,
    resource_id,
    thread_id,
)

_WAITED_ON = {
    NodeKind.CONDITION,
    NodeKind.QUEUE,
    NodeKind.EVENT,
    NodeKind.SEMAPHORE,
    NodeKind.FUTURE,
}
"""What pools are made of: whoever waits for a lock in one waits for its bookkeeping."""
_MAX_POOLS = 50
_MAX_WAITERS = 2000
_CERTAINTY = {
    Sign.RECORDED: Certainty.CERTAIN,
    Sign.USING: Certainty.PROVEN,
    Sign.ENTERED: Certainty.PROVEN,
    Sign.REFERS: Certainty.INFERRED,
}


@dataclass(frozen=True, slots=True)
class _Pool:
    anchor: Anchor
    resource: Resource


class PoolResolver:
    """Resolves waits of one process's threads and tasks for pools."""

    def __init__(self, pid: int, python: PythonReader, woken: Callable[[NodeId], bool]) -> None:
        """*woken*: whether a task that was read in a wait is out of it by now."""
        self._pid = pid
        self._python = python
        self._woken = woken
        containers = Containers(python.objects, python.codes)
        classes = Classes(python.objects)
        self._counts = Counts(python.objects, python.references, containers)
        records = Records(python.references, classes, self._counts)
        self._anchors = Anchors(python.references, python.frames, classes, records)
        self._renewed = Renewed(python.loops, python.codes, python.objects)
        self._loans = Loans(python.references, python.frames, containers, classes, python.objects)

    def add(
        self,
        facts: Facts,
        tasks: Mapping[NodeId, Sequence[Frame]],
        asleep: Collection[int] = (),
        stand_ins: Mapping[int, NodeId] = MappingProxyType({}),
    ) -> None:
        """Say of waits within a pool that they are for what it lends out, and add who has that.

        *tasks*: the frames of each suspended task or greenlet; *asleep*: TIDs; *stand_ins*: who is
        meant by objects that limiters record in somebody's place, by their address.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        stacks: dict[NodeId, Sequence[Frame]] = {
            thread_id(self._pid, tid): frames for tid, frames in sorted(self._python.stacks.items())
        }
        ids = {node.address: node for node in tasks if node.address is not None}
        stacks |= tasks
        pools: dict[int, _Pool] = {}
        waiters: dict[int, set[NodeId]] = {}
        found: dict[NodeId, Wait] = {}
        for wait, anchor in self._waits(facts, stacks, asleep):
            pool = pools.get(anchor.address) or self._pool(anchor, facts)
            pools[anchor.address] = pool
            waiters.setdefault(anchor.address, set()).add(wait.waiter)
            found[wait.waiter] = replace(wait, target=pool.resource.id)
            if len(pools) >= _MAX_POOLS:
                break
        facts.waits[:] = [wait for wait in facts.waits if wait.waiter not in found]
        facts.waits += found.values()
        lenders = {pool.resource.id: pool.resource for pool in pools.values()}
        facts.tasks[:] = [
            _awaiting(task, found[task.id], lenders) if task.id in found else task
            for task in facts.tasks
        ]
        for address, pool in pools.items():
            borrowers = {**stand_ins, **ids}
            out = pool.resource.out
            loans = self._loans.of(pool.anchor, stacks, waiters[address], borrowers, out)
            accounted = len({loan.thing for loan in loans})
            behalf = self._loans.on_behalf(pool.anchor, stacks, borrowers)
            kept = self._kept(pool, stacks, loans)
            facts.resources[pool.resource.id] = replace(
                pool.resource,
                out=self._lent(pool, accounted + len(kept)),
                accounted=accounted,
                on_behalf=behalf,
                kept_in=kept,
            )
            facts.holds += self._holds(pool, loans, stacks)
            self._given(facts, pool, loans)

    def _lent(self, pool: _Pool, seen: int) -> int | None:
        """How many it has lent out: no more than it has made, where it counts those; but for those
        that were *seen*, for such counts may have begun anew."""
        known, out = pool.anchor.known, pool.resource.out
        made = self._counts.sum(pool.anchor.address, known.made) if known else None
        return out if out is None or made is None else min(out, max(made, seen))

    def _kept(
        self, pool: _Pool, stacks: Mapping[NodeId, Sequence[Frame]], loans: Sequence[Loan]
    ) -> tuple[str, ...]:
        """Where the rest of what is out is kept, which nobody is seen to have."""
        shown = {loan.thing for loan in loans}
        if pool.resource.out is None or len(shown) >= pool.resource.out:
            return ()
        with suppress(BudgetSpentError, MemoryReadError):  # it is the lesser part
            kept = self._loans.kept(pool.anchor, stacks, shown, self._python.objects)
            values = thread_locals(self._python)
            return kept or self._loans.kept_by_threads(pool.anchor, shown, values)
        return ()

    def _given(self, facts: Facts, pool: _Pool, loans: Sequence[Loan]) -> None:
        """Who has been given what it waited for, since it was read, waits no more."""
        recorded = {loan.actor for loan in loans if loan.sign is Sign.RECORDED}
        at = pool.anchor.address
        waits = [one for one in facts.waits if one.waiter in recorded and one.target.address == at]
        over = {one.waiter for one in waits if self._woken(one.waiter)}
        facts.waits[:] = [one for one in facts.waits if one.waiter not in over or one not in waits]
        facts.tasks[:] = [
            replace(task, state=TaskState.READY, awaits=None) if task.id in over else task
            for task in facts.tasks
        ]

    # -- waits ----------------------------------------------------------------------------------

    def _waits(
        self, facts: Facts, stacks: Mapping[NodeId, Sequence[Frame]], asleep: Collection[int]
    ) -> Iterator[tuple[Wait, Anchor]]:
        own = [wait for wait in facts.waits if wait.waiter.pid == self._pid]
        found = 0
        known: dict[tuple[int, tuple[int, ...]], Anchor | None] = {}
        for wait, frames in whole_waits(own, stacks):
            address = wait.target.address
            if wait.target.kind not in _WAITED_ON or not address or not frames:
                continue
            way = address, way_to(frames)
            if way not in known:
                known[way] = self._anchors.of(frames, address)
            anchor = known[way]
            if anchor is not None and found < _MAX_WAITERS:
                found += 1
                does = "waits until all is back" if anchor.returned else "lends it"
                text = f"{anchor.name} {does}: {wait.evidence.text}"
                where = application_place(frames) or wait.evidence.where
                evidence = replace(wait.evidence, text=text, where=where)
                how = "join" if anchor.returned else wait.operation
                never = wait.expires and self._unlimited(frames)
                yield replace(wait, evidence=evidence, operation=how, unlimited=never), anchor
        waiting = {wait.waiter for wait in own}
        for tid in asleep:
            node = thread_id(self._pid, tid)
            polling = stacks.get(node, ())
            polled = self._anchors.polled(polling) if node not in waiting else None
            if polled is not None and self._resource(polled).exhausted:
                function = polling[0].code.bare_name
                text = f"it sleeps in {polled.name}.{function}, and asks again and again"
                where = application_place(polling)
                evidence = Evidence(Source.CPYTHON, Certainty.INFERRED, text, where)
                pool = self._resource(polled)
                never = self._unlimited(polling)
                yield Wait(node, pool.id, evidence, expires=True, unlimited=never), polled

    def _unlimited(self, frames: Sequence[Frame]) -> bool:
        return unlimited(before_application(frames), self._python.frames, self._python.objects)

    # -- the pool -------------------------------------------------------------------------------

    def _pool(self, anchor: Anchor, facts: Facts) -> _Pool:
        """What is known of a semaphore holds for what it lends as well."""
        plain = resource_id(NodeKind.SEMAPHORE, self._pid, anchor.address)
        known = facts.resources.get(plain)
        made = self._resource(anchor)
        if known is None:
            return _Pool(anchor, made)
        name = f"{known.name}, {made.name}" if known.name else made.name
        return _Pool(anchor, replace(made, name=name, no_holder=known.no_holder))

    def _resource(self, anchor: Anchor) -> Resource:
        known = anchor.known
        kind = known.kind if known else NodeKind.POOL
        package = package_of(anchor.file, self._python.objects.memory.root)
        library = known.library if known else ""
        library = library or (package or anchor.module).partition(" ")[0]
        name = (
            f"{library}' {anchor.name}" if library.endswith("s") else f"{library}'s {anchor.name}"
        )
        return Resource(
            resource_id(kind, self._pid, anchor.address),
            kind,
            name,
            self._pid,
            anchor.address,
            name=name,
            type_name=f"{anchor.module}.{anchor.name}",
            package=package or anchor.module.partition(".")[0],
            lends=known.lends if known else "item",
            size=self._counts.sum(anchor.address, known.size) if known else None,
            out=self._counts.sum(anchor.address, known.out) if known else None,
            failed=self._counts.sum(anchor.address, known.failed) if known else None,
            waiting=self._counts.sum(anchor.address, known.waiting) if known else None,
            release=known.release or None if known else None,
        )

    # -- holds ----------------------------------------------------------------------------------

    def _holds(
        self, pool: _Pool, loans: Sequence[Loan], stacks: Mapping[NodeId, Sequence[Frame]]
    ) -> Iterator[Hold]:
        out = pool.resource.out
        complete = out is not None and len({loan.thing for loan in loans}) >= out
        holders = Counter(loan.thing for loan in loans)
        best: dict[NodeId, Loan] = {}
        for loan in loans:
            if loan.actor not in best or loan.rank < best[loan.actor].rank:
                best[loan.actor] = loan
        for actor, loan in best.items():
            certainty = _CERTAINTY[loan.sign]
            shared = holders[loan.thing] > 1
            unsure = certainty is Certainty.PROVEN and (shared or not complete)
            if unsure or (pool.anchor.known and pool.anchor.known.guessed):
                certainty = Certainty.INFERRED
            text = self._words(loan, pool)
            if shared:
                text += ", but so do others"
            elif not complete:
                text += "; others may have more of them"
            evidence = Evidence(Source.CPYTHON, certainty, text, loan.where)
            line = loan.line if loan.sign is Sign.ENTERED else None
            renewed = self._renewed.is_renewed(stacks.get(actor, ()), loan.frame, line)
            yield Hold(pool.resource.id, actor, evidence, loan.function, renewed)

    def _words(self, loan: Loan, pool: _Pool) -> str:
        lends = pool.resource.lends or "item"
        what = f"{'an' if lends[0] in 'aeiou' else 'a'} {lends} of it"
        function = loan.frame.code.bare_name if loan.frame else "?"
        of_limiter = pool.resource.id.kind is NodeKind.LIMITER
        match loan.sign:
            case Sign.RECORDED:
                return f"the {'limiter' if of_limiter else 'pool'} records it"
            case Sign.USING:
                return f"it is in {pool.anchor.name}.{function}, which has {what} for that long"
            case Sign.ENTERED:
                return f"it is inside `with` in {function}, and leaving that gives {what} back"
            case Sign.REFERS if loan.generator:
                goes = f"{function} goes over the generator {loan.generator}, or keeps it"
                return f"{goes}, and a variable of that leads to {what} that is out"
            case Sign.REFERS:
                return f"a variable of {function} leads to {what} that is out"


def _awaiting(task: Task, wait: Wait, lenders: Mapping[NodeId, Resource]) -> Task:
    """*task*, with what it awaits in the words of the pool."""
    pool = lenders[wait.target]
    if wait.operation == "join":
        return replace(task, awaits=f"the end of all that {pool.label} lends ({pool.lends})")
    return replace(task, awaits=f"what {pool.label} lends ({pool.lends})")
