"""Which lock a thread has while it waits in a library, and who of its process waits for that."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hangtui.analysis.wakers import coming
from hangtui.findings.english import joined
from hangtui.findings.entered_before import (
    entered_advice,
    short_entered,
    short_had,
    told_entered,
    told_had,
)
from hangtui.findings.stack_queries import at, own_frame, stood_s
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Thread

_LOCKS = {NodeKind.LOCK, NodeKind.RLOCK, NodeKind.IMPORT_LOCK, NodeKind.MUTEX}
_AFTER_IMPORT = (
    "Do that once the import is done: in a function that the program calls, or below "
    "`if __name__ == '__main__':`. Until then, who needs the module waits for its import."
)


class Held(NamedTuple):
    """A lock that a thread surely has, and that others of its process surely wait for."""

    owner: Thread
    lock: str
    waiters: tuple[Thread, ...]
    imports: bool
    """It is the lock of a module that is being imported."""
    stood_s: float
    """For how long several looks saw the others wait: so long it was not given back."""

    def short(self, words: Words) -> str:
        """``, and has the import lock of module shop, for which reader waits``."""
        names = joined([words.thread_name(one) for one in self.waiters[:NAMES_LISTED]])
        verb = "waits" if len(self.waiters) == 1 else "wait"
        alone = ", alone on the way to end that" if self._alone(words) else ""
        return f", and has {self.lock}, for which {names} {verb}{alone}"

    def _alone(self, words: Words) -> bool:
        """Whether nobody but those who wait for it is seen on the way to end the owner's wait."""
        wait = words.graph.wait_of(self.owner.id)
        comers = coming(words.graph, wait.target, words.method(wait)) if wait else ()
        return bool(comers) and {one.candidate for one in comers} <= {w.id for w in self.waiters}

    def told(self, words: Words) -> str:
        """Who waits for it, and where, as a sentence."""
        names = joined(
            [
                f"{words.thread_name(one)} waits{at(own_frame(one))}"
                for one in self.waiters[:NAMES_LISTED]
            ]
        )
        who = words.thread_name(self.owner)
        ends = "that thread gets" if len(self.waiters) == 1 else "these threads get"
        wait = words.graph.wait_of(self.owner.id)
        then = "If that is to bring what it waits for, neither goes on."
        if self._alone(words):
            limit = " before that wait gives up by the clock" if wait and wait.expires else ""
            then = f"Nobody else is seen on the way to end its own wait: neither goes on{limit}."
        return (
            f" {who} has {self.lock} meanwhile, for which {names}: {ends} on only when {who} comes "
            f"back from there. {then}"
        )

    @property
    def advice(self) -> tuple[str, ...]:
        """What to change."""
        return (_AFTER_IMPORT,) if self.imports else ()


def held_meanwhile(threads: Iterable[Thread], words: Words) -> Held | None:
    """The first such lock of one of *threads* whose waiters stood still for a second or more."""
    for thread in threads:
        for hold in words.graph.held_by(thread.id):
            lock = hold.source
            if lock.kind not in _LOCKS or not hold.evidence.certainty.supports_claim:
                continue
            waits = [
                wait
                for wait in words.graph.waiters_of(lock)
                if wait.evidence.certainty.supports_claim and not wait.expires
            ]
            others = [one for one in words.threads([w.source for w in waits]) if own_frame(one)]
            found = [one for one in others if one.pid == thread.pid and one.id != thread.id]
            stood = min((stood_s(one, words) for one in found), default=0.0)
            if stood >= STILL_S:
                imports = lock.kind is NodeKind.IMPORT_LOCK
                return Held(thread, words.name(lock), tuple(found), imports, stood)
    return None


def short_held(held: Held | None, threads: Sequence[Thread], words: Words) -> str:
    """What is added to a title of what *threads* have meanwhile; or nothing."""
    entered = f"{short_entered(threads, words)}{short_had(threads, words)}"
    return f"{held.short(words) if held else ''}{entered}"


def told_held(held: Held | None, threads: Sequence[Thread], words: Words) -> str:
    """The same as sentences."""
    entered = f"{told_entered(threads, words)}{told_had(threads, words)}"
    return f"{held.told(words) if held else ''}{entered}"


def held_advice(held: Held | None, threads: Sequence[Thread], words: Words) -> tuple[str, ...]:
    """What to change about either."""
    return (held.advice if held else ()) or entered_advice(threads, words)
