"""What a pool of a library that is not known records of itself, told by what attributes are called.

Such a record counts only if it has as many entries as the pool says that it may lend: then it is
what is lent out, and all of it is.
"""

import re
from collections.abc import Iterable

from hangtui.backends.cpython.classes import Classes
from hangtui.backends.cpython.libraries import LibraryResource, Term
from hangtui.backends.cpython.pools.counts import Counts
from hangtui.backends.cpython.references import References
from hangtui.model import NodeKind

_OUT = re.compile(
    r"_*(?:in_?use|used|active|busy|borrowed|borrowers|lent|leased|acquired|taken|checked_?out)"
)
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
                record = self._references.attribute(pool, name)
                entries = [one for _, one in self._references.referents(record)[:_MOST]]
                tasks = any(map(self._is_task, entries))
                module, title = self._classes.of(pool)[0]
                return LibraryResource(
                    "",
                    module.partition(".")[0],
                    title,
                    NodeKind.POOL,
                    "place" if tasks else self._word(entries),
                    size=size,
                    out=out,
                    among=() if tasks else (name,),
                    borrowers=(name,) if tasks else (),
                    acquire=tuple(acquire),
                    guessed=True,
                )
        return None

    def _word(self, entries: Iterable[int]) -> str:
        """``connection``, of what is of the class PooledConnection: the last word of its name."""
        titles = {classes[0][1] for one in entries if (classes := self._classes.of(one))}
        found = _WORDS.search(titles.pop()) if len(titles) == 1 else None
        return found[0].lower() if found else "item"

    def _is_task(self, address: int) -> bool:
        return (self._references.kind(address) or "").rpartition(".")[2] == "Task"
