"""Whether a piece of work that lies in a queue comes to what would end a wait."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice

from hangtui.backends.cpython.code import Code, CodeReader
from hangtui.backends.cpython.wakers.complements import COMMON_NAMES
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions
from hangtui.backends.cpython.wakers.near import Near
from hangtui.backends.cpython.wakers.values import Function, Scope, Values
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import Complement, clean

_MOST_CALLS, _MOST_TOLD = 50, 3
Wanted = Mapping[int, Mapping[str, Complement]]
"""By what is waited for: the methods that end such a wait."""


class WorkEnders:
    """Looks into the functions of one interpreter, and into those that they call themselves."""

    def __init__(
        self, wanted: Wanted, codes: CodeReader, mentions: Mentions, values: Values, near: Near
    ) -> None:
        self._wanted = wanted
        self._codes = codes
        self._mentions = mentions
        self._values = values
        self._near = near

    def of(self, work: Iterable[Function]) -> tuple[str, ...]:
        """Names of those that call such a method, of what is waited for or of what their ``self``
        gives them, if that leads there: ``Counter.bring``.

        Raises:
            BudgetSpentError: too much of this process was looked at.
        """
        found = dict.fromkeys(name for one in work for name in self._of(one))
        return tuple(islice(found, _MOST_TOLD))

    def _of(self, function: Function) -> Iterator[str]:
        code = self._code(function)
        if code is None:
            return
        scope = self._values.call(function, code.variables)
        if self._ends(function, code, scope):
            yield clean(code.function, 100)
        for mention in self._mentions.of(code)[:_MOST_CALLS]:
            value = self._value(mention, scope)
            called = self._values.called(value, mention.name) if value else None
            inner = self._code(called) if called else None
            if called and inner and called.bound:
                its = self._values.call(called, inner.variables)
                if self._ends(called, inner, its):
                    yield clean(inner.function, 100)

    def _ends(self, function: Function, code: Code, scope: Scope) -> bool:
        near = self._near.targets(function.bound) if function.bound else frozenset[int]()
        for mention in self._mentions.of(code):
            value = self._value(mention, scope)
            meant = near if value is None and mention.name not in COMMON_NAMES else {value or 0}
            if any(mention.name in self._wanted.get(one, ()) for one in meant):
                return True
        return False

    def _code(self, function: Function) -> Code | None:
        with suppress(MemoryReadError):
            return self._codes.code(function.code)
        return None

    def _value(self, mention: Mention, scope: Scope) -> int | None:
        with suppress(MemoryReadError):
            if mention.receiver is not None:
                return self._values.of(mention.receiver, scope)
        return None
