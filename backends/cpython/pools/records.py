"""What a pool or lock of a library that is not known records of itself, told by what attributes are
called.

A record of a pool's counts only if it has as many entries as the pool says that it may lend: then
it is what is lent out, and all of it is. One of a lock's counts if tasks are in it.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from hangtui.backends.cpython.classes import Classes
from hangtui.backends.cpython.libraries import LibraryResource, Term
from hangtui.backends.cpython.pools.counts import Counts
from hangtui.backends.cpython.references import References
from hangtui.model import NodeKind

_OUT = re.compile(
    r"_*(?:in_?use|used|active|busy|borrowed|borrowers|lent|leased|acquired|taken|checked_?out)"
)
_INSIDE = re.compile(r"_*(?:readers?|writers?|owners?|holders?)(?:_tasks?)?")
_SIZE = re.compile(r"_*(?:max_?|pool_?)*(?:size|limit|capacity|connections|workers)")
_WORDS = re.compile(r"[A-Z][a-z]+\Z")
_MOST = 1000
"""Attributes, and entries of a record, that are looked through."""


class Records:
    """Finds such records in objects of one interpreter."""

    def __init__(self, references: References, classes: Classes, counts: Counts) -> None:
        self._references = references
        self._classes = classes
        self._counts = counts

    def of(self, pool: int, acquire: Iterable[str]) -> LibraryResource | None:
        """What the object at *pool* is like, whose methods *acquire* somebody waits in; None: it
        has no such record.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        names = [name for name, _ in self._references.referents(pool)[:_MOST]]
        sizes = [(Term(1, (name,)),) for name in names if _SIZE.fullmatch(name)]
        for name in filter(_OUT.fullmatch, names if sizes else ()):
            out = (Term(1, (name,), "len"),)
            lent = self._counts.sum(pool, out)
            size = next((one for one in sizes if self._counts.sum(pool, one) == lent), None)
            if lent and size:
                entries = self._entries(self._references.attribute(pool, name))
                tasks = any(map(self._is_task, entries))
                lends = "place" if tasks else self._word(entries)
                made = self._guess(pool, NodeKind.POOL, lends, acquire)
                made = replace(made, size=size, out=out)
                return replace(made, borrowers=(name,)) if tasks else replace(made, among=(name,))
        return None

    def inside(self, lock: int, acquire: Iterable[str]) -> LibraryResource | None:
        """The same of a lock that records the tasks that are inside of it.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        for name, value in self._references.referents(lock)[:_MOST]:
            if _INSIDE.fullmatch(name) and any(map(self._is_task, self._entries(value))):
                made = self._guess(lock, NodeKind.LIMITER, "turn", acquire)
                return replace(made, borrowers=(name,))
        return None

    def _entries(self, record: int) -> list[int]:
        """What is in a container; it itself, if it is none."""
        found = [one for _, one in self._references.referents(record)[:_MOST]]
        return [record] if self._is_task(record) else found

    def _guess(
        self, address: int, kind: NodeKind, lends: str, acquire: Iterable[str]
    ) -> LibraryResource:
        module, title = self._classes.of(address)[0]
        package = module.partition(".")[0]
        return LibraryResource(
            "", package, title, kind, lends, acquire=tuple(acquire), guessed=True
        )

    def _word(self, entries: Iterable[int]) -> str:
        """``connection``, of what is of the class PooledConnection: the last word of its name."""
        titles = {classes[0][1] for one in entries if (classes := self._classes.of(one))}
        found = _WORDS.search(titles.pop()) if len(titles) == 1 else None
        return found[0].lower() if found else "item"

    def _is_task(self, address: int) -> bool:
        return (self._references.kind(address) or "").rpartition(".")[2] == "Task"
